// SPDX-License-Identifier: Apache-2.0

/// A self-signed certificate of 127.0.0.1 and localhost, for servers of tests.
public struct TestCertificate: Sendable {
  /// The certificate in PEM.
  public let certificate: String
  /// Its private key in PEM.
  public let privateKey: String

  /// Valid from 2020 to 2120.
  public static let valid = TestCertificate(
    certificate: """
      -----BEGIN CERTIFICATE-----
      MIIBXjCCAQSgAwIBAgIUH1r+2ganzfbQmQndRxxwZr2D6rcwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
      MDAwMDAwWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAQl4VMco5QR2/fZC/f8L2oMk3dULQyPdVQ/M95Pv7S/N8NhriGd5HzD
      LJ6X3jnYvn9WIXVzDB/8hpWNgE20joDCozIwMDAaBgNVHREEEzARhwR/AAABggls
      b2NhbGhvc3QwEgYDVR0TAQH/BAgwBgEB/wIBADAKBggqhkjOPQQDAgNIADBFAiEA
      /HMCCHHlUy9H402cEs9RRx5ZxnNU7ranp/7fS+m0q7oCIC4ktE6MeHuplgZ79Fva
      BDC4OeS3q64x+e1wh8O9AGdp
      -----END CERTIFICATE-----

      """,
    privateKey: """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9H1l74cdM0DH9FJn
      pP2xeBHos3AJVz7pGB6nk9bhGe2hRANCAAQl4VMco5QR2/fZC/f8L2oMk3dULQyP
      dVQ/M95Pv7S/N8NhriGd5HzDLJ6X3jnYvn9WIXVzDB/8hpWNgE20joDC
      -----END PRIVATE KEY-----

      """)

  /// Valid only in 2000.
  public static let expired = TestCertificate(
    certificate: """
      -----BEGIN CERTIFICATE-----
      MIIBXDCCAQKgAwIBAgIUeap5t2FaSbiMKPY+Ey2jRwB18iEwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJMTI3LjAuMC4xMB4XDTAwMDEwMTAwMDAwMFoXDTAxMDEwMTAw
      MDAwMFowFDESMBAGA1UEAwwJMTI3LjAuMC4xMFkwEwYHKoZIzj0CAQYIKoZIzj0D
      AQcDQgAECc9chJx+7PVem+tInNPSHpqc8Nal7L0a2PgUR0KIBhrBXdQG9THc4Utf
      TczUx+eLPijQ9rlT2XBRwNwKsY0Uq6MyMDAwGgYDVR0RBBMwEYcEfwAAAYIJbG9j
      YWxob3N0MBIGA1UdEwEB/wQIMAYBAf8CAQAwCgYIKoZIzj0EAwIDSAAwRQIgS2DW
      Wh5DXrgpg1zdZsigMeP+sFtYtQ+fVL3CO4ypl+wCIQCZrWX2nwGPqHLLKDB6/RUY
      fkmS8ndhRs+TuUm3NXxz5w==
      -----END CERTIFICATE-----

      """,
    privateKey: """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv+t2ioykB5ebsSfi
      UbnZAimejxDzKXR5AGkIwHezjQKhRANCAAQJz1yEnH7s9V6b60ic09Iempzw1qXs
      vRrY+BRHQogGGsFd1Ab1MdzhS19NzNTH54s+KND2uVPZcFHA3AqxjRSr
      -----END PRIVATE KEY-----

      """)
}
