// SPDX-License-Identifier: Apache-2.0

/// How a report looks: one style sheet for small and large, light and dark, screen and paper.
enum ReportStyle {
  /// The style's class for the colour of a class name; `cn` for objects without one.
  static func className(for label: String) -> String {
    guard !label.isEmpty else { return "cn" }
    let color = ClassPalette.color(for: label)
    return "c\(ClassPalette.colors.firstIndex(of: color) ?? 0)"
  }

  /// The style sheet.
  static var sheet: String { frame + cards + ending + colors + late }

  /// The colours of classes.
  private static var colors: String {
    let colors = ClassPalette.colors.enumerated().map { index, color in
      ".c\(index){--c:\(color);--t:\(color.textColor)}"
    }
    let none = ClassPalette.unlabelled
    return colors.joined(separator: "\n") + "\n.cn{--c:\(none);--t:\(none.textColor)}\n"
  }

  /// Colours, headings, panels and tables.
  private static let frame = """
    :root{--bg:#f4f5f7;--card:#fff;--text:#15181e;--muted:#5a6270;--line:#dde1e7;--accent:#1d4ed8;\
    --bad:#b42318;--frame:#e6e9ee;color-scheme:light dark}
    @media (prefers-color-scheme:dark){:root{--bg:#0e1116;--card:#171b22;--text:#e9ecf1;--muted:#9ba5b4;\
    --line:#2b323d;--accent:#8ab4ff;--bad:#ff9a8d;--frame:#242a34}}
    *{box-sizing:border-box}
    [hidden]{display:none!important}
    body{margin:0;background:var(--bg);color:var(--text);\
    font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
    main,header,footer{max-width:76rem;margin:0 auto;padding:0 1rem}
    header{padding-top:2rem}
    h1,h2,h3,p,ul,ol,dl,dd{margin:0;padding:0}
    h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.01em}
    h2{font-size:1.0625rem;margin-bottom:.75rem}
    h3{font-size:.9375rem;line-height:1.35;overflow-wrap:anywhere}
    ul,ol{list-style:none}
    section{margin-top:1.5rem}
    code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
    .facts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin-top:.5rem;font-size:.875rem}
    .facts div{display:flex;gap:.4rem;min-width:0}
    .facts dt,.meta,.tiles dt,.note{color:var(--muted)}
    .facts dd{overflow-wrap:anywhere}
    .panel,.card,.tiles div{background:var(--card);border:1px solid var(--line);border-radius:12px}
    .panel{padding:1rem 1.125rem 1.125rem;min-width:0}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.75rem;margin-top:1.25rem}
    .tiles div{padding:.75rem 1rem;display:flex;flex-direction:column-reverse;justify-content:flex-end}
    .tiles dd{font-size:1.625rem;font-weight:650;line-height:1.2;font-variant-numeric:tabular-nums}
    .tiles dt{font-size:.8125rem}
    .tiles .bad dd{color:var(--bad)}
    .overview{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:.75rem}
    .overview>section{margin-top:0;flex:1 1 min(100%,17rem)}
    .overview+.panel{margin-top:.75rem}
    .plot{display:block;width:100%;height:auto}
    .plot rect{fill:var(--accent)}
    .plot line{stroke:var(--line)}
    .plot text{fill:var(--muted);font-size:11px;font-variant-numeric:tabular-nums}
    table{width:100%;border-collapse:collapse;font-size:.875rem}
    th,td{text-align:left;padding:.3125rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere;\
    vertical-align:top}
    thead th{border-top:0;color:var(--muted);font-weight:500}
    tbody th{font-weight:400}
    .n{text-align:right;padding-left:.75rem;white-space:nowrap;font-variant-numeric:tabular-nums}
    .failures li{padding:.5rem 0;border-top:1px solid var(--line);font-size:.875rem;overflow-wrap:anywhere}
    .failures li:first-child{border-top:0;padding-top:0}
    .failures li:last-child{padding-bottom:0}
    .failures strong{font-weight:600}

    """

  /// The cards of images, and what filters them.
  private static let cards = """
    .tools{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,8.75rem),1fr));gap:.75rem;\
    margin-bottom:.75rem}
    .tools label{display:block;font-size:.8125rem;color:var(--muted)}
    .tools input,.tools select{display:block;width:100%;height:2.5rem;margin-top:.25rem;font:inherit;\
    color:var(--text);background:var(--card);border:1px solid #7b8494;border-radius:8px;padding:0 .625rem}
    .tools input[type=range]{padding:0;border:0;background:none;accent-color:var(--accent)}
    .shown{font-size:.8125rem;color:var(--muted);margin-bottom:.75rem}
    .grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16.5rem),1fr));gap:.75rem}
    .card{overflow:hidden;padding-bottom:.875rem;content-visibility:auto;contain-intrinsic-size:auto 22rem}
    .card>:not(.shot){margin-left:.875rem;margin-right:.875rem}
    .card h3{margin-top:.75rem}
    .card .meta,.note{font-size:.8125rem}
    .folder{display:block;font-size:.8125rem;font-weight:400;color:var(--muted);overflow:hidden;\
    text-overflow:ellipsis;white-space:nowrap}
    .shot{display:grid;aspect-ratio:4/3;background:var(--frame)}
    .shot>*{grid-area:1/1;width:100%;height:100%;min-height:0;object-fit:contain}
    .frame{fill:none;stroke:var(--line);stroke-width:2}
    .halo,.box{fill:none;rx:3px}
    .halo{stroke:#000;stroke-opacity:.45;stroke-width:4}
    .box{stroke:var(--c);stroke-width:2}
    .chip{fill:var(--c)}
    .shot text{fill:var(--t);font-size:11px;font-weight:650}
    .found{margin-top:.5rem;font-size:.875rem}
    .found li{display:grid;grid-template-columns:auto minmax(0,1fr) 3.5rem 2.25rem;gap:.5rem;align-items:center;\
    padding:.125rem 0}
    .found bdi{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .dot{display:inline-block;flex:none;width:.625rem;height:.625rem;border-radius:3px;background:var(--c)}
    .dot+bdi{margin-left:0}
    th .dot{margin-right:.5rem}
    .bar{width:100%;height:.375rem;background:var(--frame);border-radius:3px;overflow:hidden}
    .bar rect{fill:var(--c)}

    """

  /// Numbers, what folds away, and the foot of the page.
  private static let ending = """
    .number{text-align:right;font-variant-numeric:tabular-nums}
    details{margin-top:.375rem;font-size:.875rem}
    summary{cursor:pointer;color:var(--accent);padding:.25rem 0}
    footer{padding-top:1.5rem;padding-bottom:2.5rem;font-size:.8125rem;color:var(--muted)}

    """

  private static let late = """
    .found .cn,th .cn{--c:var(--muted)}
    @media print{body{background:#fff}.tools,.shown{display:none}.card{break-inside:avoid;content-visibility:visible}}

    """
}
