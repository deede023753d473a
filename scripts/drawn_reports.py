# SPDX-License-Identifier: Apache-2.0
"""Checks for scripts/test-reports of the report pages with made-up data in place of the program's."""

import copy
import json

DATA = '<script type="application/json" id="data">'
# Hostile names of files and classes.
HOSTILE = ["</script><script>hit = 1</script>", "<img src=x onerror=hit=1>\u202egpj", "\"' onerror=hit=1 x='", "\u2066exe\u2069\u200f\u061c",
           "שלום", "a\nb\r\t\x1b[2J\x00\x9b\u2028\ufeff", "", "<'\"&" * 2_500, "--other' --x=\"<b>\" 5 %", "__proto__"]
# A mask with a hole, and a rotated box.
MASK = {"mask": [[1, 1, 9.5, 1, 9.5, 9, 1, 9], [3, 3, 3, 7, 7, 7, 7, 3]]}
CORNERS = {"corners": [5, 1, 9, 5, 5, 9, 1, 5]}
# The lines and points of a skeleton on the left, in the middle and on the right.
SKELETON = {"bones": [[1, 1, 3, 3], [], [5, 5, 7, 7]], "joints": [[1, 1, 3, 3], [4, 2], [5, 5, 7, 7]]}
JPEG = {"width": 160, "height": 120, "jpeg": "AQID"}

# Unexpected elements, attributes and characters, duplicate ids, broken links, and anything that would be fetched.
WRONG = r"""(() => {
  const [tags, attributes] = [new Set(`html head meta title style body header main footer nav section div dl dt dd h1 h2 h3 p ul ol li
    a bdi span strong pre code table thead tbody tr th td details summary img svg g text line polyline polygon path circle rect noscript script
    label input output select option`.split(/\s+/)), new Set(`class id lang charset http-equiv content name aria-labelledby aria-label
    aria-hidden role alt width height src href viewBox x y x1 y1 x2 y2 cx cy r rx points d text-anchor textLength lengthAdjust
    fill preserveAspectRatio scope title tabindex data-l data-s type autocomplete placeholder value for min max step hidden open`
    .split(/\s+/))];
  const invisible = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Noncharacter_Code_Point}/u;
  const [found, ids] = [window.hit ? ['a text was run'] : [], new Set()];
  const all = [...document.querySelectorAll('*')];
  for (const { id } of all) {
    if (id && ids.has(id)) found.push(`the id ${id} twice`);
    ids.add(id);
  }
  for (const element of all) {
    if (!tags.has(element.localName)) found.push(`<${element.localName}>`);
    for (const { name, value } of element.attributes) {
      if (!attributes.has(name)) found.push(`the attribute ${name}`);
      if (invisible.test(value)) found.push(`${name} has a character that is not seen: ${escape(value)}`);
      if (name === 'src' && !/^data:image\/(jpeg|png);base64,/.test(value)) found.push(`${value} is fetched`);
      if (name === 'href' && !(value.startsWith('#') && ids.has(value.slice(1)))) found.push(`the link ${value} leads nowhere`);
      if (/^(for|aria-labelledby)$/.test(name) && !ids.has(value)) found.push(`${name} ${value} is not there`);
    }
    for (const { nodeType, data } of element.matches('script, style') ? [] : element.childNodes) {
      if (nodeType === 3 && invisible.test(data)) found.push(`a character that is not seen: ${escape(data)}`);
    }
  }
  return found.concat(document.scripts.length === 2 ? [] : [`${document.scripts.length} scripts`]);
})()"""
# All texts of a part, and its texts for screen readers.
TEXTS = """((part) => {{ const texts = []; const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walk.nextNode()) {{ const node = walk.currentNode;
    if (node.nodeType === 3) {{ if (node.data.trim() && !node.parentElement.matches('script, style')) texts.push(node.data.trim()); }}
    else for (const name of ['alt', 'title', 'aria-label', 'points']) if (node.hasAttribute(name)) texts.push(node.getAttribute(name)); }}
  return texts.join('|'); }})({})"""


def figures(value=None):
    """Shares and losses, each this value."""
    mean = {key: value for key in ("precision", "recall", "f1", "averagePrecision")}
    return {"photos": 20, "accuracy": value, "standardError": value, "top5": value, "balancedAccuracy": value, "logLoss": value,
            "calibrationError": value, "precision": value, "unanswered": value, "macro": mean, "micro": mean}


def small():
    """A training on two classes with every part."""
    cat, mistake = {"photo": "cat/1.jpg", "image": JPEG}, {"label": "dog", "image": None}
    return {
        "photos": 20, "labels": ["cat", "dog"], "threshold": 0.38, "thresholdReason": "the largest F1", "test": None,
        "outOfFold": {"photos": 20, "accuracy": 0.85, "standardError": 0.08, "logLoss": 0.4471, "calibrationError": 0.029,
                      "macro": {"precision": 0.8535, "recall": 0.85, "f1": 0.8496, "averagePrecision": 0.91}, "precision": 0.858,
                      "unanswered": 0.05},
        "classes": [{"label": "cat", "photos": 10, "recall": 0.9}, {"label": "dog", "photos": 10, "recall": 0.8, "gain": 0.04}],
        "confusion": [{"label": label, "answer": answer, "photos": photos} for label, answer, photos in [
            ("cat", "cat", 9), ("cat", "dog", 1), ("dog", "cat", 1), ("dog", "dog", 8), ("dog", None, 1)]],
        "curve": {"points": [[0, 0.5, 1], [0.5, 0.9, 0.8], [0.99, None, 0]], "area": 0.93},
        "reliability": [{"from": 0.8, "to": 1, "photos": 12, "score": 0.9, "right": 0.85}],
        "learning": {"points": [{"photos": 8, "accuracy": 0.7}, {"photos": 16, "accuracy": 0.85}],
                     "forecast": {"photos": 32, "accuracy": 0.9, "uncertainty": 0.03}},
        "mistakes": [{**cat, "label": "cat", "answer": "dog", "score": 0.97},
                     {**mistake, "photo": "dog/3.jpg", "answer": "cat", "score": 0.5},
                     {**mistake, "photo": "dog/2.jpg", "answer": None, "score": 0.31}],
        "suspectsExpected": 1, "suspects": [{**cat, "label": "cat", "likelier": "dog", "ratio": 32.3}],
        "samePhotos": [[{**cat, "label": "cat", "isTest": False}, {**cat, "label": "dog", "isTest": True}]],
        "backbones": [{"name": "embedded", "accuracy": 0.8, "standardError": 0.02, "numbers": 1280, "bytes": 1_340_000,
                       "isChosen": True}],
    }


def many(labels, photo="{}.jpg"):
    """A training in which each class is confused with the next one."""
    after = labels[1:] + labels[:1]
    return {**small(), "labels": labels, "classes": [{"label": label, "photos": 10} for label in labels],
            "confusion": [{"label": label, "answer": answer, "photos": photos} for label, other in zip(labels, after)
                          for answer, photos in ((label, 9), (other, 1))],
            "mistakes": [{"photo": photo.format(label), "image": JPEG, "label": label, "answer": other, "score": 0.5}
                         for label, other in zip(labels, after)]}


def hostile():
    """A training on photos and classes with hostile names."""
    data = many(HOSTILE, "{}")
    data["suspects"] = [{"photo": name, "image": JPEG, "label": name, "likelier": other, "ratio": 20}
                        for name, other in zip(HOSTILE, HOSTILE[1:] + HOSTILE[:1])]
    data["samePhotos"] = [[{"photo": name, "image": image, "label": name, "isTest": False} for name in HOSTILE for image in (JPEG, None)]]
    data["backbones"] = [{**data["backbones"][0], "name": name} for name in HOSTILE]
    return data


def images(names, labels):
    """A run on one image per name, each with one object per label: without a shape, with a mask, with a rotated box, with both."""
    findings = [{"label": label, "score": 0.5, "color": 1, "box": [1, 1, 9, 9], "chip": [0, 0, 40], "caption": f"{label} 0.50",
                 **(MASK if index & 1 else {}), **(CORNERS if index & 2 else {}), **(SKELETON if index & 4 else {})} for index, label in enumerate(labels)]
    return {
        "images": [{"name": name, "found": len(labels), "best": 0.5, "classes": [*range(len(labels))], "ms": 10, "size": [300, 400],
                    "frame": [240, 320], "findings": findings, **({"image": JPEG} if index % 2 else {})}
                   for index, name in enumerate(names)],
        "imageCount": len(names), "kind": "objects", "bins": [0] * 20, "otherFindings": 0,
        "classes": [{"label": label, "findings": 1, "images": 1, "best": 0.5, "color": 1} for label in labels],
        "stages": [{"name": name, "median": 5.25, "most": 12_345} for name in names[:2]],
    }


def maps(names, labels):
    """A run on one image per name, each with every class, the first of which is not painted."""
    paints = [{}] + [{"paint": f"#{number:06X}"} for number in range(1, len(labels))]
    findings = [{"label": label, "score": 0.5, **paint} for label, paint in zip(labels, paints)]
    return {
        **images(names, []), "kind": "maps",
        "images": [{"name": name, "found": len(labels), "best": 0.5, "classes": [*range(len(labels))], "ms": 10, "size": [300, 400],
                    "frame": [240, 320], "findings": findings, "map": "AQID", **({"image": JPEG} if index % 2 else {})}
                   for index, name in enumerate(names)],
        "classes": [{"label": label, "findings": 2, "images": 2, "best": 0.625, "share": 0.5 - index / 100, **paint}
                    for index, (label, paint) in enumerate(zip(labels, paints))],
    }


def judge(browser, file, name):
    """Opens a page and checks its elements, characters, ids and links."""
    browser.call("Page.navigate", url=file.as_uri())
    browser.until("document.readyState === 'complete' && document.querySelector('footer') !== null", name)
    wrong = browser.evaluate(WRONG) + browser.reports()
    assert not wrong, f"{name}: {wrong[:5]}"


def text(browser, part="document.body"):
    return browser.evaluate(TEXTS.format(part))


class Pages:
    """The program's two pages, which can be opened with other data."""

    def __init__(self, browser, training, images, folder):
        self.browser, self.file = browser, folder / "drawn.html"
        self.sources = {"training": training.read_text(encoding="utf-8"), "images": images.read_text(encoding="utf-8")}

    def open(self, kind, data, name):
        """Opens a page with data and checks it."""
        start, rest = self.sources[kind].split(DATA)
        # The program writes a number that is not finite as null.
        drawn = json.dumps(data).replace("NaN", "null").replace("<", "\\u003c")
        self.file.write_text(start + DATA + drawn + rest[rest.index("</script>"):], encoding="utf-8")
        judge(self.browser, self.file, name)

    def expect(self, rows):
        """Compares the values of expressions in the page with the expected ones."""
        for expression, expected in rows:
            found = self.browser.evaluate(expression)
            assert found == expected, f"{expression} is {found!r}, not {expected!r}"


def heads(part):
    return f"[...document.querySelectorAll({json.dumps(part)})].map((each) => each.textContent)"


def check_parts(pages):
    """Functions of the training page: axes, lines, numbers, texts."""
    pages.open("training", small(), "a small training")
    pages.expect([(f"sharesAround('', {values}).ticks.map(([, text]) => text).join(' ')", expected) for values, expected in [
        ("[]", "0 % 25 % 50 % 75 % 100 %"), ("[NaN, Infinity]", "0 % 25 % 50 % 75 % 100 %"), ("[0.85]", "80 % 85 % 90 %"),
        ("[0.7, 0.9]", "60 % 70 % 80 % 90 %"), ("[0, 1]", "0 % 20 % 40 % 60 % 80 % 100 %"), ("[1]", "95 % 100 %"),
        ("[0]", "0 % 5 %"), ("[-4, 0.01]", "0 % 5 %"), ("[0.5, 7]", "40 % 60 % 80 % 100 %"),
    ]])
    counts = "photoCounts('', [10, 11, 100, 1000, 1001, 10000])"
    pages.expect([
        (f"{counts}.ticks.map(([, text]) => text).join(' ')", "11 100 1,001 10,000"),
        (f"[10, 10000, -1, NaN].map({counts}.place)", [0, 1, None, None]),
        (f"Math.abs({counts}.place(100) - 1 / 3) < 1e-9", True), ("photoCounts('', [8]).place(8).toFixed(9)", "0.500000000"),
        ("[...plot(shares('x'), shares('y'), 'w', [line([[0, 0], [0.5, 0.5], [0.6, NaN], [0.7, 1], [0.8, NaN], [0.9, 1], [1, 1]], 's1')])"
         ".querySelectorAll('polyline')].map((each) => each.getAttribute('points'))", ["46,170 173,97", "274.6,24 300,24"]),
        ("[0.852, 1, NaN, Infinity, Number.MAX_VALUE, undefined, null].map((value) => percent(value))",
         ["85.2\u00a0%", "100.0\u00a0%", "–", "–", "–", "–", "–"]),
        ("[[0.955, 2], [-0.004, 2], [12, 0], [NaN, 2], [-3.14159, 3]].map(([value, places]) => fixed(value, places))",
         ["0.96", "0.00", "12", "–", "-3.142"]),
        ("[0, 999, 1000, -1234567].map(grouped)", ["0", "999", "1,000", "-1,234,567"]),
        (r"visible('\u202Egpj.exe\u2066\u200F\u061C\u200B\uFEFF\u2028\uFFFF')",
         r"\u{202e}gpj.exe\u{2066}\u{200f}\u{61c}\u{200b}\u{feff}\u{2028}\u{ffff}"),
        (r"visible('a\n\r\t\0\x1b[2J\x7f\x9b')", r"a\n\r\t\u{0}\u{1b}[2J\u{7f}\u{9b}"),
        ("[visible('é'.repeat(201)), visible('é'.repeat(200)), visible('🐈'.repeat(201), 200)].map((each) => [...each].length)",
         [201, 200, 201]),
    ])
    pages.expect([(f"make('p', null, option({json.dumps(word)})).innerHTML", expected) for word, expected in [
        ("", ""), ("a", "a"), ("--other", '<span class="option">--other</span>'),
        ("--exclude,", '<span class="option">--exclude</span>,'), ("--<b>", '<span class="option">--</span>&lt;b&gt;'),
    ]])
    pages.expect([(heads("pre .option"), ["--output", "--quiet"]),
                  ("/\\d\u00a0%/.test(document.querySelector('.summary').textContent)", True),
                  ("document.querySelector('.summary').textContent.includes(' %')", False)])


def check_small(pages):
    """Checks the texts of every part, and that a part without content is left out."""
    pages.expect([(TEXTS.format(f"document.querySelector('[aria-labelledby=h-{part}]')"), expected) for part, expected in SMALL.items()])
    for part, key, value in [
        ("thresholds", "curve", {"points": []}), ("reliability", "reliability", []), ("learning", "learning", None),
        ("classes", "classes", []), ("confusion", "confusion", []), ("mistakes", "mistakes", []), ("suspects", "suspects", []),
        ("same", "samePhotos", []), ("backbones", "backbones", []),
    ]:
        data = {**small(), key: value}
        if key == "classes":
            data.update(confusion=[], mistakes=[], suspects=[], samePhotos=[])
        pages.open("training", data, f"a training without {key}")
        pages.expect([(f"document.getElementById('h-{part}')", None),
                      (f"[...document.querySelectorAll('nav a')].some((link) => link.hash === '#h-{part}')", False)])
    shares = ("boxRecall", "namedShare", "rightLabels", "averagePrecision50", "averagePrecision50WithRightLabels")
    pages.open("training", {"outOfFold": {"images": 1_200, "objects": 40, "boxes": 50, **dict(zip(shares, (0.9, 0.8, 0.7, 0.6, None)))},
                            "test": None, "classifier": small()}, "a training on objects")
    pages.expect([(TEXTS.format("document.querySelector('[aria-labelledby=h-boxes] table')"),
                   "Out of fold|images|1,200|objects|40|boxes of the detector|50|objects with a matching box|90.0\u00a0%|"
                   "matching boxes with a name|80.0\u00a0%|named boxes that are right|70.0\u00a0%|AP50|60.0\u00a0%|"
                   "AP50 if every name were right|–"),
                  (TEXTS.format("document.querySelector('[aria-labelledby=h-figures]')"), SMALL["figures"])])


def check_orders(pages):
    """Checks the order of classes, pairs and photos, and the number shown."""
    classes = [{"label": label, "photos": 1, "gain": gain, "recall": recall} for label, gain, recall in [
        ("a", None, 0.9), ("b", 0.1, None), ("c", 0.3, None), ("d", None, None), ("e", None, 0.2)]]
    groups = [[{"photo": "p", "image": None, "label": label, "isTest": is_test} for label, is_test in group] for group in [
        [("a", False), ("a", False)], [("b", False), ("b", True)], [("a", False), ("b", False)], [("b", True), ("b", True)],
        [("a", False)] * 13]]
    mistakes = [{"photo": f"{number}.jpg", "image": JPEG if number >= 40 else None, "label": "ab"[number % 2], "answer": "c",
                 "score": number / 100} for number in reversed(range(100))]
    pages.open("training", {**small(), "classes": classes, "confusion": [], "samePhotos": groups, "mistakes": mistakes}, "orders")
    same = "[aria-labelledby=h-same] "
    shown = "[...document.querySelectorAll('[aria-labelledby=h-mistakes] .photos li')].map((each) => each.lastElementChild.textContent)"
    pages.expect([
        (heads("[aria-labelledby=h-classes] tbody th"), ["c", "b", "e", "a", "d"]),
        (heads(same + "h3"), ["in two classes alike", "in training and test alike", *["in one class alike"] * 3]),
        (f"document.querySelector('{same}.note').textContent.split('. ')[0]", "1 in two classes, 1 in training and test, 3 in one class"),
        (f"document.querySelector('{same}.group:last-child > .note').textContent", "1 more"),
        (f"{shown}.length", 60), (f"[0, 29, 59].map((place) => {shown}[place])", ["score 0.99", "score 0.41", "score 0.40"]),
        ("[...document.querySelectorAll('.group[id]')].map((each) => each.id)", ["m-1-2", "m-0-2"]),
        (heads("[aria-labelledby=h-mistakes] summary"), ["20 more", "20 more"]),
    ])
    labels = [f"k{number}" for number in range(50)]
    confusion = [{"label": label, "answer": label, "photos": 1_000} for label in labels]
    confusion += [{"label": f"k{given}", "answer": answer, "photos": photos}
                  for given, answer, photos in [(49, "k1", 7), (20, "k30", 2), (10, None, 1)]]
    pages.open("training", {**many(labels), "confusion": confusion}, "50 classes")
    # Five classes are confused; the first of the others fill up the 40.
    pages.expect([("confused()", labels[:38] + ["k38", "k49"]), ("totals.get('k10')", 1_001),
                  (heads(".pairs li"), ["k49 → k1 7 of 1,007", "k20 → k30 2 of 1,002"]),
                  ("new Set([...document.querySelectorAll('.matrix tr')].map((row) => row.cells.length)).size", 1)])


def check_hostile(pages):
    """Checks that hostile names and labels do not become markup, and that each of their characters is visible."""
    pages.open("training", hostile(), "a training on hostile names")
    drawn = text(pages.browser)
    for part in ["</script><script>hit = 1</script>", r"<img src=x onerror=hit=1>\u{202e}gpj", "\"' onerror=hit=1 x='", "שלום",
                 r"\u{2066}exe\u{2069}\u{200f}\u{61c}", r"a\nb\r\t\u{1b}[2J\u{0}\u{9b}\u{2028}\u{feff}", "unlabelled", "__proto__",
                 ("<'\"&" * 2_500)[:200] + "…", ("<'\"&" * 2_500)[:40] + "…", r"given a\nb\r\t\u{1b}[2J"]:
        assert part in drawn, f"{part} is not in a training on hostile names: {drawn[:2_000]}"
    assert ("<'\"&" * 2_500)[:201] not in drawn, "a label is not cut"
    pages.open("images", images(HOSTILE, HOSTILE), "a run on hostile names")
    drawn = text(pages.browser)
    for part in [r"<img src=x onerror=hit=1>\u{202e}gpj 0.50", r"|<img src=x onerror=hit=1>\u{202e}gpj|",
                 r"</script><script>hit = 1</script>: </script><script>hit = 1</script> 0.50, <img src=x"]:
        assert part in drawn, f"{part} is not in a run on hostile names: {drawn[:2_000]}"
    pages.expect([("document.querySelectorAll('#by-class option').length", len(HOSTILE) + 2),
                  ("document.querySelectorAll('.card').length", len(HOSTILE))])


def check_maps(pages):
    """Checks that a run of maps has shares in place of scores, and a map over each image."""
    pages.open("images", maps(HOSTILE, HOSTILE), "maps with hostile names")
    pages.open("images", maps(["a.jpg", "b.jpg"], ["sky", "road"]), "maps of two classes")
    pages.expect([
        (heads("main .overview h2"), ["Classes", "Time of each image"]),
        (heads("[aria-labelledby=h-classes] th"), ["class", "images", "mean share", "largest", "sky", "road"]),
        (heads("[aria-labelledby=h-classes] td"), ["2", "50.0\u00a0%", "62.5\u00a0%", "2", "49.0\u00a0%", "62.5\u00a0%"]),
        (heads(".card .meta"), ["300 × 400 · 2 classes · 10.0 ms"] * 2), (heads(".found .number"), ["50.0\u00a0%"] * 4),
        ("[...document.querySelectorAll('.shot img')].map((each) => each.alt)",
         ["Map of the classes", "b.jpg: sky 50.0\u00a0%, road 50.0\u00a0%", "Map of the classes"]),
        ("[...document.querySelectorAll('svg.dot rect')].map((each) => each.getAttribute('fill'))", ["#000001"] * 3),
    ])


def check_limits(pages):
    """Checks figures that are not numbers or out of range, missing figures, and very many of everything."""
    for value in (float("nan"), 0, -1, 1e300, -1e300, 5e-324, 1.7976931348623157e308):
        data = copy.deepcopy(small())
        data.update(outOfFold=figures(value), test=figures(value), threshold=value)
        data["classes"] = [{"label": label, "photos": 1, **figures(value)["macro"], "threshold": value, "gain": value}
                           for label in ("cat", "dog")]
        data["curve"] = {"points": [[value] * 3, [0.5, value, value]], "area": value}
        data["reliability"] = [{"from": low, "to": high, "photos": 1, "score": value, "right": value}
                               for low, high in ((0, 1), (value, value))]
        data["learning"] = {"points": [{"photos": photos, "accuracy": value} for photos in (value, 8)],
                            "forecast": {"photos": value, "accuracy": 0.5, "uncertainty": 0.03}}
        data["mistakes"][0]["score"] = data["suspects"][0]["ratio"] = value
        data["backbones"][0].update(accuracy=value, standardError=value)
        check_words(pages, data, f"figures of {value}")
    for count in (-1, 0, 1 << 63, -(1 << 63)):
        data = small()
        for part in (data["outOfFold"], data["classes"][0], data["reliability"][0], *data["confusion"]):
            part["photos"] = count
        data["backbones"][0].update(numbers=count, bytes=count)
        data["learning"]["points"][0]["photos"] = data["learning"]["forecast"]["photos"] = count
        check_words(pages, data, f"counts of {count}")
    check_words(pages, {**dict.fromkeys(small()), "labels": [], "outOfFold": figures(), "classes": [], "confusion": [],
                        "curve": {"points": []}, "reliability": [], "mistakes": []}, "no figures")
    pages.expect([(heads("main h2"), ["Figures", "How to reproduce this"]), ("document.querySelector('nav')", None)])
    # Labels are cut as by the program, and there are as many mistakes as it writes.
    label = "\u202e<" * 100
    data = many([f"{number} {label}"[:200] for number in range(1_000)])
    data["mistakes"] = data["mistakes"][:60]
    data["suspects"] = [{**small()["suspects"][0], "photo": f"{number}.jpg"} for number in range(3_000)]
    data["samePhotos"] = [[{"photo": f"{number}.jpg", "image": None, "label": "cat", "isTest": False}] * 2 for number in range(1_500)]
    pages.open("training", data, "1,000 classes of long names")
    pages.expect([
        (heads("[aria-labelledby=h-confusion] > .note"), [
            "Rows are the classes of the photos, columns the predictions; an empty cell is 0. Follow a number to see its photos. "
            "The 40 most confused classes are shown; 960 are summed up as “others”."]),
        (heads("[aria-labelledby=h-classes] summary"), ["980 more classes"]),
        (heads("[aria-labelledby=h-suspects] > .note:last-child"), ["2,000 more are not listed."]),
        (heads("[aria-labelledby=h-same] > .note:last-child"), ["1,000 more are not listed."]),
        ("document.querySelectorAll('[aria-labelledby=h-suspects] img').length", 1_000),
    ])
    assert pages.file.stat().st_size < 20_000_000, f"the page of 1,000 classes has {pages.file.stat().st_size} bytes"
    # The same, with counts of left-out entries as the program writes them.
    listed = {"suspects": data["suspects"][:1_000], "samePhotos": data["samePhotos"][:500]}
    suspects, same = "[aria-labelledby=h-suspects] > .note", "[aria-labelledby=h-same] > .note"
    for left_out, harms, expected, sums, notes in [
        (0, [0, 0, 0], "about 1 of 1,000.", "500 in one class", [[], []]),
        (1, [0, 0, 1], "about 1 of 1,001.", "501 in one class", [["1 more are not listed."], ["1 more are not listed."]]),
        (2_000, [1, 20, 1_000], "about 1 of 3,000.", "1 in two classes, 20 in training and test, 1,500 in one class",
         [["2,000 more are not listed."], ["1,021 more are not listed."]]),
    ]:
        pages.open("training", {**small(), **listed, "suspectsLeftOut": left_out, "samePhotosLeftOut": harms}, f"{left_out} left out")
        pages.expect([
            (f"document.querySelector('{suspects}').textContent.endsWith({json.dumps(expected)})", True),
            (f"document.querySelector('{same}').textContent.split('. ')[0]", sums),
            *((f"{heads(part)}.slice(1)", note) for part, note in zip((suspects, same), notes)),
        ])


def check_words(pages, data, name):
    pages.open("training", data, name)
    shown = text(pages.browser)
    # The words around a missing figure are left out with it; a figure out of range is never written.
    for word in ("NaN", "Infinity", "null", "undefined", "[object", *(("± –", "–:", "about –") if "nan" in name else ())):
        assert word not in shown, f"{name}: '{word}' is in {shown}"


def check_images(pages):
    """Checks the totals of the image page, and the entries that its limits leave out."""
    labels = [f"class {number:03}" for number in range(203)]
    data = {**images(["a/b.jpg", "c.jpg"], labels), "bins": [0] * 6 + [2] + [0] * 11 + [1_600, 1], "otherFindings": 1_800}
    data["images"] = [{**image, "found": 203, "findings": image["findings"][:100]} for image in data["images"]]
    pages.open("images", data, "a run on two images")
    pages.expect([
        ("document.querySelector('[aria-labelledby=h-scores] svg').getAttribute('aria-label')",
         "Histogram of 1,603 scores; the largest bin, 1,600, is 0.90 to 0.95"),
        (heads("[aria-labelledby=h-scores] title"), ["0.30 to 0.35: 2", "0.90 to 0.95: 1,600", "0.95 to 1.00: 1"]),
        (heads("[aria-labelledby=h-classes] summary"), ["192 more classes"]),
        (heads("[aria-labelledby=h-classes] > .note"), ["1,803 more belong to other classes."]),
        (TEXTS.format("document.querySelector('[aria-labelledby=h-classes] tr:first-child')"), "class|objects|images|best"),
        (TEXTS.format("document.querySelector('[aria-labelledby=h-classes] tbody tr')"), "class 000|1|1|0.50"),
        (TEXTS.format("document.querySelector('[aria-labelledby=h-times]')"),
         "Time of each image|stage|median|95 % within|a/b.jpg|5.3 ms|12.3 s|c.jpg|5.3 ms|12.3 s"),
        (heads(".card h3, .card .meta, .card summary"), [
            "a/b.jpg", "300 × 400 · 203 objects · 10.0 ms", "198 more", "103 are not listed.",
            "c.jpg", "300 × 400 · 203 objects · 10.0 ms", "198 more", "103 are not listed."]),
    ])
    for count, expected in ((9, []), (10, ["2 more classes"])):
        pages.open("images", images(["a.jpg"], labels[:count]), f"{count} classes")
        pages.expect([(heads("[aria-labelledby=h-classes] summary"), expected), ("document.getElementById('tools').hidden", True)])
    pages.open("images", {**images([], []), "imageCount": 0}, "a run on nothing")
    pages.expect([("document.getElementById('overview').textContent", "ScoresThere are no scores."),
                  ("document.querySelectorAll('.card').length", 0)])


def check_shapes(pages):
    """Checks that masks are drawn without their holes, rotated boxes in place of upright ones, and that the score hides both."""
    data = images(["a.jpg", "b.jpg"], ["box", "mask", "rotated", "both"])
    for image in data["images"]:
        image["best"] = image["findings"][0]["score"] = 0.9
    pages.open("images", data, "a run on shapes")
    outline, corners = "M1,1,9.5,1,9.5,9,1,9ZM3,3,3,7,7,7,7,3Z", "5,1,9,5,5,9,1,5"
    card = ".card:first-child "

    def values(part, name):
        return f"[...document.querySelectorAll('{card}{part}')].map((each) => each.getAttribute('{name}'))"

    # The best is on top, so it is the last one.
    pages.expect([
        (values("path.mask", "d"), [outline] * 2), (values("path.edge", "d"), [outline] * 2),
        (values("polygon.box", "points"), [corners] * 2), (values("polygon.halo", "points"), [corners] * 2),
        (values("rect.box", "width"), ["9", "9"]), (values("rect.halo", "width"), ["9", "9"]),
        (values(".shot svg > g:has(.box)", "class"), ["c1 thin", "c1", "c1 thin", "c1"]),
        ("[[2, 2], [5, 5], [9.2, 8], [9.8, 5]].map(([x, y]) => document.querySelector('path.mask').isPointInFill("
         "new DOMPoint(x, y)))", [True, False, True, False]),
        ("document.querySelectorAll('.card').length", 2),
        ("(() => { field('by-score').value = '0.6'; show(); return [...document.querySelectorAll('.card:first-child .shot [data-s]')]"
         ".map((each) => each.querySelector('.box, .mask, .chip').localName + each.hasAttribute('hidden')); })()",
         ["pathtrue", "pathtrue", "polygontrue", "polygontrue", "recttrue", "rectfalse", "rectfalse", "recttrue", "recttrue",
          "recttrue"]),
    ])
    # The fifth object has keypoints: a line for the left and the right, each with a halo, and dots of three sides.
    pages.open("images", images(["a.jpg"], ["box", "mask", "rotated", "both", "points"]), "a run on keypoints")
    pages.expect([
        (values("path.bone", "class"), ["bone halo left", "bone halo right", "bone left", "bone right"]),
        (values("path.bone:not(.halo)", "d"), ["M1,1L3,3", "M5,5L7,7"]),
        (values("path.joint:not(.halo)", "d"), ["M1,1L1,1M3,3L3,3", "M4,2L4,2", "M5,5L5,5M7,7L7,7"]),
    ])


# The texts of the parts of `small`, those for screen readers included.
SMALL = {
    "figures": ("Figures|Out of fold|photos|20|right|85.0\u00a0%|standard error|8.0\u00a0%|log loss|0.447|"
                "calibration error|0.029|precision, mean of classes|0.854|recall, mean of classes|0.850|"
                "F1, mean of classes|0.850|average precision, mean of classes|0.910|Threshold 0.38 (the "
                "largest F1): 85.8\u00a0% of predictions are right, 5.0\u00a0% of photos get no prediction."),
    "thresholds": ("Precision and recall|Precision and recall at thresholds. At 0.00 precision is 0.500 "
                   "and recall 1.000. At 0.99 precision is – and recall 0.000; the table below has the "
                   "figures.|precision, recall|0 %|25 %|50 %|75 %|100 %|0|0.25|0.5|0.75|1|threshold|46,97 "
                   "173,38.6|46,24 173,53.2 297.5,170|precision|recall|the model's threshold|Precision "
                   "over recall; the table below has the figures.|precision|0 %|25 %|50 %|75 %|100 %|0 %|"
                   "25 %|50 %|75 %|100 %|recall|300,97 249.2,38.6|Area under precision over recall: 0.930.|"
                   "The figures|threshold|precision|recall|"
                  + "0.00|0.500|1.000|" + "".join(f"{number / 100:.2f}|0.900|0.800|" for number in range(5, 55, 5))
                  + "|".join(f"{number / 100:.2f}|–|0.000" for number in (*range(55, 100, 5), 96, 97, 98, 99))),
    "reliability": ("Are the scores reliable?|How often predictions are right at each score; the table below has "
                    "the figures.|right predictions|0 %|25 %|50 %|75 %|100 %|0|0.25|0.5|0.75|1|score|46,170 "
                    "300,24|On the dashed line, a score of 0.8 is right 8 times in 10. Below it, scores are "
                    "too high.|The figures|scores|photos|mean score|right|0.80 to 1.00|12|0.900|85.0\u00a0%"),
    "learning": ("Would more photos help?|How often predictions are right after training with more "
                 "photos. With 32 photos, about 90\u00a0% would be right, ±\u00a03.0\u00a0%.|right predictions|60 %|70 %|80 %|90 %|8|16|"
                 "32|photos in training|173,65.7 300,44.9|46,128.3 173,65.7|With 32 photos, about 90\u00a0% "
                 "would be right, ±\u00a03.0\u00a0%.|The figures|photos|right|uncertain by|8|70.0\u00a0%|–|16|85.0\u00a0%|–|32 "
                 "(forecast)|90.0\u00a0%|±\u00a03.0\u00a0%"),
    "classes": ("Classes, weakest first|class|photos|recall|gain|confused with|dog|10|0.800|+4.0\u00a0%|cat|(1)|"
                "cat|10|0.900|–|dog|(1)|“Gain” estimates how much twice as many photos of a class would add to "
                "its recall; the largest comes first."),
    "confusion": ("Confusion matrix|Rows are the classes of the photos, columns the predictions; an "
                  "empty cell is 0.|Follow a number to see its photos.|cat|dog|no prediction|cat|cat, right: "
                  "9|9|cat classified as dog: 1|1|dog|dog classified as cat: 1|1|dog, right: 8|8|dog without a "
                  "prediction: 1|1|Most frequent|cat|→|dog|1|of 10|dog|→|cat|1|of 10"),
    "mistakes": ("Most confident mistakes|cat|→|dog|1 photo|given cat, predicted dog with 0.97|cat/1.jpg|score 0.97|"
                 "2 other pairs of classes|dog|→|cat|1 photo|dog/3.jpg|score 0.50|dog|→|no prediction|1 photo|"
                 "dog/2.jpg|score 0.31"),
    "suspects": ("Probably mislabelled|Another class is far more likely than the given one. Check "
                 "whether these photos are in the wrong folder.|Expected to be mislabelled: about 1 of 1.|"
                 "given cat, dog is 32 times as likely|cat/1.jpg|cat|→|dog|32 times as likely"),
    "same": ("Probably the same photo|1 in two classes|. A photo in two classes is wrong in one of "
             "them.|Different photos that look alike at a small size may be listed too.|in two classes|"
             "alike|cat, training|cat/1.jpg|cat|dog, test|cat/1.jpg|dog|test"),
    "backbones": ("Backbones|backbone|right|numbers|size|embedded|chosen|80.0\u00a0% ± 2.0|1,280|1.3 MB|“Right” "
                  "is out of fold, in a comparison on a few photos of each class; “numbers” is the size of a "
                  "photo’s embedding.|The smallest backbone within a standard error of the best is chosen."),
}


def check(browser, training, images, folder):
    """Runs all checks on the pages that the program wrote for a training and for images."""
    pages = Pages(browser, training, images, folder)
    check_parts(pages)
    check_small(pages)
    check_orders(pages)
    check_hostile(pages)
    check_maps(pages)
    check_limits(pages)
    check_images(pages)
    check_shapes(pages)
