// SPDX-License-Identifier: Apache-2.0
#if Server
/// Keys for tests only, and signatures by Google's clients with the first.
///
/// Made by google-auth 2.62.2 and google-cloud-storage 3.17.1 with a service account of project modelhost-test whose
/// key is `first`: `_make_authorization_grant_assertion()`, `_create_self_signed_jwt()` with a universe domain, and
/// `generate_signed_url(version="v4")` with STORAGE_EMULATOR_HOST=http://127.0.0.1:8080.
enum TestKeys {
  static let first = """
    -----BEGIN PRIVATE KEY-----
    MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDFQseo9EXdBQea
    nnua/GGlE7iCHG9mYEy0rePQk19b+R+hxQYApKn5IYJ+hyQRlBCNgv0/u5HuiQGZ
    JZOdybVkKz14yX44d2y+RwEj3Va8uUIe4BU9PW3uWWWsb6XFfrHlt22Jgyxlh8Sh
    Vod11aay7awiKku038Xn7TnXAJFJ4E+hmDQxJSd6nDiYtJYIbgz3cMQnj8cq0g+i
    QWzbsCxpn0QilhHi4if3+8lI9sQK7SFRaekvdZ8CukmLJNFPUgk24z7N1w0XKOTB
    J53aOSBKo2OOpXQv6OyrpE+AI3syZ48DkMqKorex36Ir8pSE1DqPEJbWAPEeZCSM
    y/W/1+GrAgMBAAECggEACqGrmXoM4o7OVvGFZO2G+mWCiL9X67Md/zuYry76MT6k
    i0ykowKSR03x4WLkOURQfhKva9tupTtiHYBudnnJb8wlediWQnHWp7deTYdfkOKv
    4x0drUQdztOnogW5xVgA5jTJemNaUGCNuEpYblaPr6Nqpxloz3yjXHl8fWTXmnJx
    wuNpNMDJeJFIE7cR2QcpS7LGuVb21yPUWCt3JsKzSJ/46ybBod8sQfgBAsdo9VcD
    3IAAS/xoKaOzLjsOu6wsQ8UZnEe/n9uJFcImG1NzLBQQ/vsmDMGMzEq5Y5ZCdi8D
    WjrQYjoi9oYg1EX0/ZQIGwRD9Rm1f+gG8QbOtaruTQKBgQDl1oACY3ywFKVZFIhV
    DVlM2m9SeH/NSskgSGUOE58WiVljqeFj/8Ut6prHF0CwgsQ6tXU7+gDRxwXDdWE/
    B7hgt9ygMr7MWanFiFsIX7bYUtmMDR3nwkhr30URtb6To1WU/9skZCqm8oFf9zQw
    A1FtoUbTGl6cFrTbw6/CTML51wKBgQDbtvtXii7GFRYNQu7it7mvIK9F7HLbiTtO
    tNIjyw+lEQsYVH2vYC+bIjig36Yssw5MoZhCYQYw/n8Vz7vwl22YzArOxnt36Vhy
    m/d2s7BgYOL5Se3oXB3ZBq2QRVDo1NGgcJTt+9z/69mpM+CeZnOK+8wurp/ihTyW
    uv7RlWOkTQKBgHzANLMXNPKOAkGbt3QSzsm8NnhZF2VillCDevZtCAi/fFlwN/qD
    NY96q5AsutwT3lbPb1aimBdFI4e4CpSfqCA3K/V4Fb/tWwzwuhiNez1nmtU9uWG2
    PoDuqxq1vz97hFRfm57hD5WWQ0rHbvgwlN4gj8S9p2Spnnk6egfIinv5AoGAFnmx
    XFMWVczyZIjkRuzkYbXGODDnzu1K09JLbL3o68nCiMqb0MTWGdh2Un6OUSQ/4jbl
    jGTAbWKbPW/ymbnjzC2TLXPATZPhKFgsCEh5UmKW1UlqvMovg3PbbVap4CdlCjR6
    B54sDUHjEhvsbkesqhr32A6k7FcUy5Z1WpsdhkECgYBD9jAOWzyHdRwumxe6Z1zV
    EdhiVyMwJOLLTW4OekF0ff8kDdBqB8ELGiMV/+prdjDiDziLjeRNTX4i/Oc0Cdd8
    pVTqqE7Fb5OVpAymirTWlIqyMxqweSPX2zyAO6dXHOYjueQZ3m40IZUoX/2a5nXW
    0O1hBfWOIZ4v440wnUQ3LQ==
    -----END PRIVATE KEY-----

    """

  static let second = """
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDTPVsutPJwyHsQ
    Xeq7/7H0eWxbaPeb7pMVddbq9rOEsUbpy0IHti+VyqctXDCa8UxC9AAXMiQBvwDM
    YcHegGaRtS+HuGPPWIdX0AadkWJxxwM8deoIW3L1cg9qzGH3F6hczleBLge0f8JK
    dIPcGBfrYDZNozBaRkqQwfKW7z3m7r5JpjFuFkvTZtKlijwZgq0gDuH7HkRdmCVX
    mscpYLso5ligs8yZQ+ZM5cYJ9HmvNCNE2IxKc+WNHk7HEAJgUOBCtM2znCE3+PG0
    j6NQYw8By0Do+tgHlEO+7aEch6OyBm0TJlfbuPkimKh+VzRVt79vcYKEeyVvXIIG
    zTGDll21AgMBAAECggEACm5vj/Pm5ljlct51wV4+xx2D6KkF/pDzzyMoP3wlS0/c
    ekkg8/Pe5QfCj66LcUCp4m3difJeQtPQJ0egj5X0UA0MJtNH4oJdqfbKN4JpbnLv
    Hvo3r2f3WlWNRgSHxfBIznnGFR6qdL27tiTg1L/qgSNu1btRn55Jql0ELMiYXEym
    Kro4YzErttYp1P9ryAwRL/J9uXmKVs165YFZR+hf6u6iHJvwLvXywec/1/7Dxoxw
    QpJ/ecSIq9g1XpY62LByV6Frd8bLcm281nPVIjl9NvSLCGej/cZFrXaV/Oz34oae
    Dy5q0ZM50L7g6Lc4/235yLxe6KmilYBChX7G3Y/eAQKBgQD8I7XixMIO90Rjumia
    9PfoG5bzzT0/dLcTru3rdggIqou4+y81AsRgy7QC9r338xxeXU6fylsmRs8ZVVUw
    Cqkmb0zQfVy7AvgW1T0u5ieJu0PgQoo3KkUdLX4KKDSpeDQJSqN9n9IQGN5e8vJ7
    X1oSLw08BYCOUf3IdTCMWiEpNQKBgQDWeVWMbwogb3VONdYUCmyPfaAPnZpDnD5o
    F46AAFA/RUcpPP56aEQPJ1WJO3Q5b+1b/PfYYzKGqRc9jiH2aVQPWu0wWVJdsvi9
    OHF4E1RS57swsTKAiB87XdB0KW5qFuyvNakPBZu0zoEtO1T6P7jJA0KUaKENyHrN
    5BdvektygQKBgQDLFTBA0F3FlB+/e7sZZEnw55f0EtFMNQPolLMJPe5GnKchfR+O
    wQXPOQNqh7aG6Ydl8h2L0n8MG2hfbT3KDiwjyu3B19dCwad1LJe1GKer5etLzAxr
    Vl6Im8WzBKM2BJ1VBoscegfF82HYdDIecLSphMBSIdRjzWJtfQZ3ZXjkKQKBgG3G
    XMssanp/kgMd+xz22On42twjRrokVqzgocdSYcCArROmbHoqs+strtI25B4h89OJ
    fzH6U/oowgR3o1qEPso9N/nvPgFHgZkYMrvK6PYmNeGOUNMI2TOBqRhLvIAAi9SC
    Gq3dqPy6VdPY8n3D78izKnjbtNNhMboAbR5Z8hQBAoGAW/wRpA1Kdf+Xi8YOuTDD
    RR+QSZwSjgZin+LOeQpO3TIcpqLlj6Yf7PawKeOLsV4YuBha4QrrG5NArhCHxLJl
    OevpDq4lOUgR0etujMR1RHnYkvJpU6TX0is7LIQNUsQHfsVnVucAA1fvftYCJPph
    M8H20wRMIvrzDYVlBG/Swb8=
    -----END PRIVATE KEY-----

    """

  /// Issued 2026-11-22 10:00:00 UTC.
  static let googleAssertion =
    "eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJSUzI1NiIsICJraWQiOiAiMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYw"
    + "MTIzNDU2NyJ9.eyJpYXQiOiAxNzk1MzQxNjAwLCAiZXhwIjogMTc5NTM0NTIwMCwgImlzcyI6ICJhZG1pbi0xYTJiQG1vZGV"
    + "saG9zdC10ZXN0LmlhbS5nc2VydmljZWFjY291bnQuY29tIiwgImF1ZCI6ICJodHRwczovL29hdXRoMi5nb29nbGVhcGlzLmN"
    + "vbS90b2tlbiIsICJzY29wZSI6ICJodHRwczovL3d3dy5nb29nbGVhcGlzLmNvbS9hdXRoL2Nsb3VkLXBsYXRmb3JtIGh0dHB"
    + "zOi8vd3d3Lmdvb2dsZWFwaXMuY29tL2F1dGgvZmlyZWJhc2UifQ.GZbk13JW8SR_xsiSInyzQAYrc4XQtC4fzr6GdnsfMV01"
    + "rXsnaPtvnhlPCw98d555DA2CN7KcXsSvL2jAe0XtdZT3gu2BImfez1B4Zg72CQxvWdU2l4aKv-ZYW8P7zFiOF1mPpDuHOE9f"
    + "9i3qWwLGDDJIjjR7pdBbBN58SnmiDMkEbCjaW3IQENzGT8PIop0oTug3EQoQz0T3nyuiEe7TNP6igUSjYPiT3aq8NuF7A3rw"
    + "TwncxXaZ9nu6L96EmtRh3lX-d71a4nsICxrjPqXcMoEG68UQkz7m9gokAiweoTV-jVIIkeB9V6isrm2Rf_C311jyAdjRleKJ"
    + "vJRM-6asNQ"

  /// Issued 2026-11-22 10:00:00 UTC.
  static let googleToken =
    "eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJSUzI1NiIsICJraWQiOiAiMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYw"
    + "MTIzNDU2NyJ9.eyJpc3MiOiAiYWRtaW4tMWEyYkBtb2RlbGhvc3QtdGVzdC5pYW0uZ3NlcnZpY2VhY2NvdW50LmNvbSIsICJ"
    + "zdWIiOiAiYWRtaW4tMWEyYkBtb2RlbGhvc3QtdGVzdC5pYW0uZ3NlcnZpY2VhY2NvdW50LmNvbSIsICJpYXQiOiAxNzk1MzQ"
    + "xNjAwLCAiZXhwIjogMTc5NTM0NTIwMCwgInNjb3BlIjogImh0dHBzOi8vd3d3Lmdvb2dsZWFwaXMuY29tL2F1dGgvY2xvdWQ"
    + "tcGxhdGZvcm0ifQ.bMxmrPNXAdMo39sQJcrfB7NKHYgkTN_6uKhMX1AjeSaWwTHOeWtBP5uRDikzpyWZmCuon4sZM1lV7zq6"
    + "F1lcEei4eVoB4nu_h43wMiZli05hKFzxQ_WhGAVqCY1HuY5HHfGuiJnuJ1XgboL2ogFQqI9q2kQl62sb-zU2K2ajI6LF1014"
    + "1qADrTcl0_Z6xTfrxs0JxXDm3qrJX4tMQngLjIsIC6Fe6Po9QzVzVCVPuj8j8CHYsnrpkPb23764UuZ2jr9DVAefYCGy7b_J"
    + "Q8mlxdRDuu6KC-fcnD87L1FNB28rpXOFuUtntmyHY2e9967eycA85JXqnQ6EXmzm71qUOw"

  /// Signed at 20261122T195708Z, for 600 seconds.
  static let googleURL =
    "http://127.0.0.1:8080/modelhost-test.appspot.com/Firebase/ML/Models/Flower%20k%C3%B6pfe%20%281%2"
    + "9%2B~.tflite?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=admin-1a2b%40modelhost-test.iam"
    + ".gserviceaccount.com%2F20261122%2Fauto%2Fstorage%2Fgoog4_request&X-Goog-Date=20261122T195708Z&X-"
    + "Goog-Expires=600&X-Goog-SignedHeaders=host&X-Goog-Signature=a8e73d70ce3b1b45567cdbe39ec09bddf6b0"
    + "f0d32780507061ddfaaee02430a9b0117130b06705628a3da44a02e6b311cd6fa7d7745fbc237bf9bb238e82363988aa"
    + "b4806a0d732b05e06e6b5f8972dd63578b5935fe9b513544b79a4d829cf5c7a36449dc5638158e60b18eaeff1394e758"
    + "8315161a9241be0016c0096632ab2776c4b33dfb2e4c960e718c46aca134561ff7c2eee31790baac747b989c51a44c10"
    + "3851aae5633981beccd2387add825f910a8dbb05eca915328e1cc2afbbe12dd8eaef35055457162094dbd60fddc15b6b"
    + "169120697bda463a06491854fbb6448818915502c0d1c6e044f401f623a9256558ae149fa3ea616bd4c7e02a0cef"
  static let googleURLDate = "20261122T195708Z"

  /// The query of a V4 URL for `a.tflite`, signed then too, with `response_type`, `response_disposition` and
  /// `query_parameters`.
  static let parametersV4 =
    "X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=admin-1a2b%40modelhost-test.iam.gserviceacco"
    + "unt.com%2F20261122%2Fauto%2Fstorage%2Fgoog4_request&X-Goog-Date=20261122T195708Z&X-Goog-Expires="
    + "600&X-Goog-SignedHeaders=host&response-content-disposition=attachment%3B%20filename%3D%22K%C3%B6"
    + "pfe%201%2B1.bin%22&response-content-type=text%2Fplain&userProject=a%20project&X-Goog-Signature=8"
    + "fd68b18482d98151440e7f1257fd571541076253933765b755fa52998c59693bb55168ed0ff0e759c5cd9ad2cb18bea4"
    + "2d527fcbe1dd3970e3703f05a93dbd62532a4fbaefa75d6b8a336418a1204b1c8ddd12b8eb8ab457460fa1dbd4089283"
    + "936967400d6529a197b733eae1de25c1777470b1c1cc25e1bf30ee42170105ece6991739fe3f65e50614ab1d7c98e9f5"
    + "da32018a542bb62e9d35729a18290258875de13e59d918e1ce01e8026a6221af425c5e21115ae61ca815c58c1e2afdab"
    + "d2356263de850f063eebeb18e47ddfcaa0253f7be428359f77b300bfd54896680b64d1cef0ff6b37fadb43fce296ac9c"
    + "3fb2d0ab635ab6bf963d12d3f4df257"

  /// The same of a V2 URL, whose signature covers only `query_parameters`.
  static let parametersV2 =
    "Expires=1795378028&GoogleAccessId=admin-1a2b%40modelhost-test.iam.gserviceaccount.com&Signature="
    + "KRu7Xcdqb%2FBTlCMn3Wpz%2FiglOBI06g9YLFAV8%2F0%2FYAbeq6PVvtAjhqNEiKInlss1%2FTIGhYQhz4DZUJrJyissWa"
    + "CIprjelxRF%2FGJTsc3BvpZ2rj%2F1j7FTESN8yj6oAwYYR3hoj%2FK5223IqBsMJsUC1K%2BcbdwbBkHwgYolnlSEUF24om"
    + "puVF2ykEgLVJxOemYCwxBSaszlFfZg1284KUMJqXRqLpirhnEathxcJOqJ1NyGrzOgAIPuRxDgVS2JewyDgWsQMsZmHEwp0W"
    + "13tqhg%2Fq%2Fi8OQsG3jsmTBoSpF1ATR0UlTnS7Yu3ApZ6oiyeJ%2F8zax0%2FWOi76WTQVg2T82%2Fzw%3D%3D&respons"
    + "e-content-disposition=attachment%3B+filename%3D%22K%C3%B6pfe+1%2B1.bin%22&response-content-type="
    + "text%2Fplain&userproject=a+project"

  /// The same without `query_parameters`: the signature covers no parameter.
  static let unsignedParametersV2 =
    "Expires=1795378028&GoogleAccessId=admin-1a2b%40modelhost-test.iam.gserviceaccount.com&Signature="
    + "ins%2Bk9YCg%2BLx%2FLLBWQYU%2B1IRX6NgzhycurdT1yQoLVniRXqkQzVa3zQRwc8%2Bs3BbuisTfx2lmlFa4GUYPqnRkt"
    + "lt9HIeD0jQFoLC%2B1mHo129DwGSEEqNQoAi4CSDPtc4GvYNCTdgpLoRGTh5kH3tmuAa4d025ACAMdSf%2BbKzfbnlrlF4kE"
    + "IR0%2Bjrudp%2BPjAsRys8RS6226RCOXh5EWl87EDlBPWrkpNXeb%2BfitG9HNRpFwGosSkOn64ZDEVsNs5PmFr%2B%2BE%2"
    + "Btjrss1LGd8yyfYlkPhzYFExVXM115k%2FGb8jSVFEJ3BodhZlMriAx1Xlg78MetYm2JjCiP78WmON%2FRNw%3D%3D&respo"
    + "nse-content-disposition=attachment%3B+filename%3D%22K%C3%B6pfe+1%2B1.bin%22&response-content-typ"
    + "e=text%2Fplain"

  /// The same with all of them as `query_parameters`.
  static let allParametersV2 =
    "Expires=1795378028&GoogleAccessId=admin-1a2b%40modelhost-test.iam.gserviceaccount.com&Signature="
    + "EAdhZWPCP9deiQaKDE9p6pl3j44pRoAGxcgm1cXClnWRdpDts0BZGF9fKAxzkDMaixxUisg409K5sqyzCEWUfbKr7A6qyhTw"
    + "MLO4zPT7yEF46csUfPHzkumioqwWMCpQ8X5C571uUecxReh2de%2FEZYux8gGuffYed3Bien1ODx9Jy%2FaS2Q%2B794bjok"
    + "T%2FAHyp%2F3%2BIqNOmKaM5utwR4hfwFt5sP7p%2BsSiQHn32A8eTrBIynh91AVX5h7JuRfmDu%2B9xbpHxdVcoHXZiVKGi"
    + "%2FOzP1uHAPaPQeEvMo0DhfGk%2FGtEH5aCshRkIrHAtOXMm0yL4aUVUmmb%2F2xrvO7N5I2UpOw%3D%3D&response-cont"
    + "ent-disposition=attachment%3B+filename%3D%22K%C3%B6pfe+1%2B1.bin%22&response-content-type=text%2"
    + "Fplain&userproject=a"
}
#endif
