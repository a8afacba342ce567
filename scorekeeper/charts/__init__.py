"""Charts as SVG, drawn on the server: plain data in, a `Chart` out (picture, title, summary, table).

A page shows one with the macro `figure(chart, id)` of templates/macros/charts.html and links static/charts.css.
Nothing here knows games, players or the database.
"""

from .bids import BidCount, made_and_set
from .chance import Chance, win_chance
from .chart import Chart, Table
from .partners import Pair, partner_map
from .places import Places, standings_over_time
from .rating import Rating, rating_over_time
from .score import Score, score_by_hand

__all__ = [
    "BidCount",
    "Chance",
    "Chart",
    "Pair",
    "Places",
    "Rating",
    "Score",
    "Table",
    "made_and_set",
    "partner_map",
    "rating_over_time",
    "score_by_hand",
    "standings_over_time",
    "win_chance",
]
