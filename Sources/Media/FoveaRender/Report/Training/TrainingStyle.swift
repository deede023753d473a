// SPDX-License-Identifier: Apache-2.0

/// How a page about a training looks, on top of what all reports share.
enum TrainingStyle {
  /// The whole style sheet.
  static let sheet = ReportStyle.sheet(colors + levels + parts + plots + photos + narrow)

  /// How strongly a cell is coloured, from few to many of its row.
  static let rightLevels = [0.08, 0.16, 0.24, 0.33, 0.42]
  static let wrongLevels = [0.1, 0.18, 0.27, 0.36, 0.46]

  private static let colors = """
    :root{--right:29 78 216;--wrong:180 35 24}
    @media (prefers-color-scheme:dark){:root{--right:138 180 255;--wrong:255 154 141}}

    """

  private static var levels: String {
    func rules(_ name: String, _ color: String, _ levels: [Double]) -> String {
      levels.enumerated().map { ".\(name)\($0 + 1){background:rgb(var(--\(color))/\($1))}\n" }.joined()
    }
    return rules("r", "right", rightLevels) + rules("w", "wrong", wrongLevels)
  }

  private static let parts = """
    a{color:var(--accent)}
    h1,p,li,.tiles dt{overflow-wrap:anywhere}
    main>.panel,.plots,nav{margin-top:.75rem}
    .note{font-size:.8125rem}
    .option{white-space:nowrap;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9375em}
    pre .option{font-size:1em}
    .summary{margin-top:.75rem;max-width:60rem}
    .advice{border-left:4px solid var(--accent)}
    .advice ol{list-style:decimal;padding-left:1.25rem;max-width:60rem}
    .advice li+li{margin-top:.375rem}
    .advice h2{margin-bottom:.375rem}
    nav ul{display:flex;flex-wrap:wrap;gap:0 1.25rem;font-size:.875rem}
    nav a{display:inline-block;padding:.25rem 0}
    thead td{border-top:0}
    .below,.panel>.note,.panel>details,.plot+.note{margin-top:.5rem}
    h2+.note{margin:-.375rem 0 .75rem}
    .below{font-size:.875rem}
    .count,.about{color:var(--muted);font-weight:400}
    .stack thead .n{white-space:normal;vertical-align:bottom}
    .stack thead th{vertical-align:bottom}
    .stack .taken{padding-left:1.25rem;width:16%}
    .settings th{width:14rem;padding-right:1rem;color:var(--muted)}
    pre{margin:0 0 .75rem;padding:.625rem .75rem;background:var(--frame);border-radius:8px;white-space:pre-wrap;\
    overflow-wrap:anywhere}
    .rows{font-size:.875rem;max-width:44rem}
    .rows li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.25rem 0;\
    border-top:1px solid var(--line);overflow-wrap:anywhere}
    .rows li:first-child{border-top:0}
    .rows li>:first-child{flex:1 1 60%}
    .sides{display:flex;flex-wrap:wrap;gap:1rem 2rem}
    .sides .pairs{flex:1 1 16rem;min-width:0}
    .pairs h3{margin-bottom:.375rem}
    .scroll{overflow-x:auto;max-width:100%;min-width:0;padding-bottom:.5rem}
    .matrix{width:auto;font-size:.8125rem;line-height:1.25}
    .matrix td,.matrix th{border:0;padding:.25rem .375rem;text-align:center;white-space:nowrap}
    .matrix tbody td{border:1px solid var(--line);min-width:2.25rem;height:2rem;vertical-align:middle;\
    font-variant-numeric:tabular-nums}
    .matrix a{color:inherit}
    .matrix th{font-weight:400;color:var(--muted)}
    .matrix thead th{vertical-align:bottom}
    .matrix thead span{display:block;writing-mode:vertical-rl;transform:rotate(180deg);max-height:9rem;\
    margin:0 auto;overflow:hidden;text-overflow:ellipsis;text-align:left}
    .matrix tbody th{position:sticky;left:0;background:var(--card);text-align:right;max-width:9rem;\
    overflow:hidden;text-overflow:ellipsis;vertical-align:middle}
    .dense{font-size:.6875rem}
    .dense tbody td{min-width:1.375rem;height:1.375rem;padding:0 .125rem}
    .dense th{padding:.0625rem .25rem}
    .dense thead th{padding:.25rem 0}

    """

  private static let plots = """
    .plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:.75rem}
    .plots section{margin-top:0}
    .plots thead .n{white-space:normal}
    .plots tbody th{min-width:5rem}
    .column{display:flex;flex-direction:column;gap:.75rem}
    .column section{flex:1}
    .curve{max-width:24rem}
    .legend+.curve{margin-top:.75rem}
    .curve text{font-size:12px}
    .curve polyline,.curve .s1,.curve .s2,.curve .s3{fill:none;stroke-width:2;stroke-linejoin:round}
    .curve .s1{stroke:var(--accent)}
    .curve .s2{stroke:var(--bad);stroke-dasharray:6 3}
    .curve .s3{stroke:var(--muted);stroke-dasharray:2 4;stroke-linecap:round}
    .curve .rule{stroke:var(--muted)}
    .curve .d1{fill:var(--accent)}
    .curve .d2{fill:var(--card);stroke:var(--muted);stroke-width:2}
    .curve .b1{fill:rgb(var(--right)/.25)}
    .legend{display:flex;flex-wrap:wrap;gap:0 1.25rem;font-size:.8125rem;color:var(--muted)}
    .key{display:inline-block;width:1.5rem;margin-right:.375rem;vertical-align:middle;\
    border-top:2px solid var(--accent)}
    .k2{border-top:2px dashed var(--bad)}
    .k3{width:1px;height:.875rem;border:0;border-left:1px solid var(--muted);margin-left:.625rem}

    """

  private static let photos = """
    .groups{display:flex;flex-wrap:wrap;gap:1.25rem .625rem}
    .group{scroll-margin-top:1rem;border-radius:8px;max-width:100%}
    .group:target{outline:3px solid var(--accent);outline-offset:4px}
    .group h3{width:0;min-width:100%;margin-bottom:.375rem;font-weight:600}
    .group .count{white-space:nowrap;font-size:.8125rem}
    .group details{width:0;min-width:100%}
    .lists .group+.group{margin-top:.75rem}
    .photos{display:flex;flex-wrap:wrap;gap:.75rem .625rem}
    .photos li{width:9.5rem;font-size:.8125rem;overflow-wrap:anywhere}
    .photos img{display:block;width:100%;height:auto;aspect-ratio:1;object-fit:contain;background:var(--frame);\
    border-radius:6px;margin-bottom:.25rem}
    .photos span{display:block;line-height:1.35}
    .photos .name{color:var(--muted)}

    """

  /// On a narrow screen a wide table is a list, and two photos stand next to each other.
  private static let narrow = """
    @media (max-width:44rem){.stack,.stack tbody{display:block}.stack thead{display:none}
    .stack tr{display:grid;grid-template-columns:repeat(3,1fr);gap:.25rem .75rem;padding:.5rem 0;\
    border-top:1px solid var(--line)}
    .stack tr:first-child{border-top:0}
    .stack th,.stack td,.stack .taken{border:0;padding:0;text-align:left;width:auto;white-space:normal;\
    align-self:end}
    .stack th{grid-column:1/-1;font-weight:600}
    .stack .taken{grid-column:span 2}
    .stack td::before{content:attr(data-l);display:block;color:var(--muted);font-size:.75rem}
    .settings th{width:40%}
    .matrix tbody th{max-width:6.5rem}
    .group,.photos li{width:100%}
    .photos{display:grid;grid-template-columns:1fr 1fr}}
    @media print{body{background:#fff}.group,.photos li{break-inside:avoid}nav{display:none}}

    """
}
