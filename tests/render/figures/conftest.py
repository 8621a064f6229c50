"""A run's figures, from the small ledger that the tests of pages share."""

import pytest

from ledger.model.catalogue import Catalogue
from ledger.render.citing.blocks import RunFigure
from ledger.render.citing.citations import Citing
from ledger.render.citing.evidence import DocumentEvidence
from ledger.render.figures.plot import Plot
from ledger.render.figures.run_plots import run_plot
from tests.render.conftest import make_article

LATENCY = RunFigure(kind="latency", caption="x", run="demo-run", metric="tpot.p50")


@pytest.fixture
def citing(catalogue: Catalogue) -> Citing:
    return Citing(DocumentEvidence(make_article("Text."), catalogue))


@pytest.fixture
def latency(citing: Citing) -> Plot:
    return run_plot(LATENCY, citing)
