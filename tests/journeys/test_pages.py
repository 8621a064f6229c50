"""The HTML in a real browser: it fits the window, its own fonts load, nothing is fetched."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.journeys.conftest import OwnLedger

ARTICLE = "speculative-decoding"
PROBE = """<script>
document.fonts.ready.then(() => {
  const root = document.documentElement, loaded = [...document.fonts].filter(face => face.status === "loaded").length;
  const outside = performance.getEntriesByType("resource").filter(entry => !entry.name.startsWith("data:")).length;
  document.body.dataset.probe = [root.scrollWidth, root.clientWidth, loaded, outside].join(" ");
});
</script></body>"""
CHROMIUM = shutil.which("chromium") or "chromium"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The article's HTML with a probe at its end that writes what the browser sees into the page."""
    own = OwnLedger(tmp_path_factory.mktemp("pages") / "own")
    done = own.build(ARTICLE, formats="html")
    assert done.returncode == 0, done.stderr
    html = (own.root / "build" / f"{ARTICLE}.html").read_text("utf-8")
    assert html.count("</body>") == 1
    probed = own.root / "build" / "probed.html"
    probed.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html).replace("</body>", PROBE), encoding="utf-8")
    return probed


@pytest.mark.parametrize("width", [1280, 500])
def test_a_page_fits_its_window_and_fetches_nothing(page: Path, width: int, tmp_path: Path) -> None:
    quiet = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
    asked = (f"--window-size={width},900", f"--user-data-dir={tmp_path}", "--virtual-time-budget=10000", "--dump-dom", page.as_uri())
    done = subprocess.run([CHROMIUM, *quiet, *asked], capture_output=True, text=True, check=True, timeout=120)
    probe = re.search(r'data-probe="(\d+) (\d+) (\d+) (\d+)"', done.stdout)
    assert probe, done.stdout[-500:]
    needed, there, fonts, fetched = map(int, probe.groups())
    assert needed <= there
    assert fonts >= 3
    assert fetched == 0
