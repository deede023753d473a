# SPDX-License-Identifier: Apache-2.0
"""Chromium with one tab, controlled by the DevTools protocol, for scripts that check pages.

The protocol needs websocket-client from PyPI, which `begin` installs into .build/live-page.
"""

import base64
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / ".build" / "live-page"
PACKAGES = ["websocket-client==1.9.0"]
MUST_RUN = os.environ.get("FOVEA_REQUIRE_SHARED") == "1" or os.environ.get("CI") == "true"


# Texts with too little contrast to their background: below 4.5 to 1, or 3 to 1 for large ones.
CONTRAST = """
(() => {
  const numbers = (text) => (text.match(/[0-9.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const low = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText && !element.matches('input, select, textarea')) continue;
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (!box.width || !box.height || style.visibility === 'hidden') continue;
    const svg = element.namespaceURI.endsWith('svg');
    const values = [luminance(numbers(svg ? style.fill : style.color)), luminance(ground(element))].sort();
    const ratio = (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) low.add(`${element.tagName} '${element.textContent.trim().slice(0, 30)}' ${ratio.toFixed(2)}`);
  }
  return [...low];
})()
"""


def give_up(script, reason):
    """Exits a script whose requirements are missing: skipped, or failed if it must run."""
    print(f"{script}: {'failed' if MUST_RUN else 'skipped'}: {reason}", file=sys.stderr)
    sys.exit(1 if MUST_RUN else 0)


def program(script):
    """Returns the path of Chromium; installs it if the script must run."""
    names = ("chromium", "chromium-browser", "google-chrome")
    if MUST_RUN and not any(map(shutil.which, names)):
        prefix = [] if os.geteuid() == 0 else ["sudo"]
        for command in (["apt-get", "update", "--quiet"],
                        ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "chromium"]):
            subprocess.run([*prefix, *command], check=False, stdout=subprocess.DEVNULL)
    found = next(filter(None, map(shutil.which, names)), None)
    return found or give_up(script, "there is no Chromium; apt-get install chromium")


def begin(script):
    """Restarts the script in an environment with the packages, if they are missing."""
    try:
        import websocket  # noqa: F401
        return
    except ImportError:
        pass
    python = PLACE / "bin" / "python"
    stamp = PLACE / "packages"
    if not (stamp.exists() and stamp.read_text() == "\n".join(PACKAGES)):
        shutil.rmtree(PLACE, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", PLACE], check=True)
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=False)
        if done.returncode != 0:
            give_up(script, "websocket-client cannot be installed")
        stamp.write_text("\n".join(PACKAGES))
    os.execv(python, [python, *sys.argv])


class Navigated(AssertionError):
    """The tab has navigated to another page before it could answer."""


class Browser:
    """Chromium with one tab, controlled by the DevTools protocol."""

    def __init__(self, program, folder, clip=None):
        """Starts it with a profile in a folder; a clip replaces the camera."""
        import websocket

        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio"]
        command += ["--remote-debugging-port=0"]
        if clip:
            command += ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
            command += [f"--use-file-for-fake-video-capture={clip}"]
        command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        command += [f"--user-data-dir={folder}", "about:blank"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place = pathlib.Path(folder) / "DevToolsActivePort"
        wait(lambda: place.exists() and len(place.read_text().split()) == 2, "Chromium listens")
        port, path = place.read_text().split()
        self.socket = websocket.create_connection(
            f"ws://127.0.0.1:{port}{path}", suppress_origin=True, timeout=30, max_size=1 << 27)
        self.numbers = itertools.count(1)
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == number:
                if "navigated or closed" in answer.get("error", {}).get("message", ""):
                    raise Navigated(f"{method}: the page was left")
                assert "error" not in answer, f"{method}: {answer.get('error')}"
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, text):
        result = self.call("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True, userGesture=True)
        assert "exceptionDetails" not in result, f"{text}: {result.get('exceptionDetails')}"
        return result["result"].get("value")

    def until(self, text, what, seconds=60):
        """Waits for a condition on the page, also on the next one if the tab is navigating."""
        def value():
            try:
                return self.evaluate(text)
            except Navigated:
                return None
        return wait(value, what, seconds)

    def key(self, name):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode={"ArrowDown": 40, "ArrowUp": 38, "Tab": 9}[name])

    def press(self, name):
        """Presses a key in the focused element."""
        text = {"Enter": "\r"}.get(name)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, **({"text": text} if text else {}),
                      windowsVirtualKeyCode={"Enter": 13, "Escape": 27, "Delete": 46}[name])

    def whole(self, method, **parameters):
        """Calls a method of the browser instead of the tab."""
        session, self.session = self.session, None
        try:
            return self.call(method, **parameters)
        finally:
            self.session = session

    def type(self, text):
        """Types into the focused element; a final carriage return is the Enter key."""
        self.call("Input.insertText", text=text.rstrip("\r"))
        if text.endswith("\r"):
            for kind in ("keyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13)

    def params(self, method):
        return [event["params"] for event in self.events if event.get("method") == method]

    def messages(self, method, kind):
        """Returns the WebSocket's text messages of a type."""
        self.evaluate("0")
        texts = [params["response"]["payloadData"] for params in self.params(method) if params["response"]["opcode"] == 1]
        return [value for value in map(json.loads, texts) if value["type"] == kind]

    def reports(self):
        """Returns the browser's reports: policy violations, script errors, deprecations."""
        self.evaluate("0")
        kinds = ("security", "violation", "javascript", "deprecation")
        found = [params["entry"]["text"] for params in self.params("Log.entryAdded") if params["entry"]["source"] in kinds]
        return found + [str(params["exceptionDetails"]) for params in self.params("Runtime.exceptionThrown")]

    def shoot(self, path, width, height, theme, **options):
        self.look(width, height, theme)
        time.sleep(1)
        image = self.call("Page.captureScreenshot", format=path.suffix[1:], **options)["data"]
        path.write_bytes(base64.b64decode(image))

    def look(self, width, height, theme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def end(self):
        self.process.terminate()
        self.process.wait(20)


def wait(condition, what, seconds=30):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.1)
