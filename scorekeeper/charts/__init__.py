"""Charts as SVG, drawn on the server: plain data in, a `Chart` out (picture, title, summary, table).

A page shows one with the macro `figure(chart, id)` of templates/macros/charts.html and links static/charts.css, which
has every color: the SVG itself has classes only, so it passes the content security policy and follows light and dark.
This package does not depend on games, players or the database.

Elements are written with markupsafe, which escapes all text; scales, layout and labels are implemented here, since no
chart library fit. Libraries tried, each with a line of 20 points:

- pygal 3.1 writes inline script and style even with its scripts off; pysvgchart 0.8 and simplecharts 0.3 write a
  `<style>`; svg.charts 7.3 and toyplot 2.1 a `style` on every element, and bring lxml and numpy.
- leather 0.4 and charted 1.2 write neither, but fix colors and size in attributes and explain lines by a legend;
  neither has step lines, a bump chart or an uncertainty band.
- detroit 2.6 (D3 in Python) passes too, but is scales and axes rather than charts, on lxml, and imports 464 modules.
- Of libraries that only write elements, svg.py 1.10 escapes nothing and takes as long to import as SQLAlchemy; drawsvg
  2.4 is untyped and imports 125 modules, networking among them.
"""

from .bids import BidCount, made_and_set
from .drawing import Chart, Table
from .lines import (
    ChanceSeries,
    PlayerSeries,
    ScoreSeries,
    by_place,
    chance_line,
    rating_over_time,
    score_by_hand,
    standings_over_time,
    win_chance,
)
from .result import UPRIGHT, WIDE, ResultLine, result_picture

__all__ = [
    "UPRIGHT",
    "WIDE",
    "BidCount",
    "ChanceSeries",
    "Chart",
    "PlayerSeries",
    "ResultLine",
    "ScoreSeries",
    "Table",
    "by_place",
    "chance_line",
    "made_and_set",
    "rating_over_time",
    "result_picture",
    "score_by_hand",
    "standings_over_time",
    "win_chance",
]
