"""How the properties are run: the same examples every time unless HYPOTHESIS_PROFILE says otherwise.

`ci` is quick and repeatable; `search` looks for new examples, and for longer.
"""

import os

from hypothesis import HealthCheck, settings

_ALL = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", derandomize=True, max_examples=60, database=None, **_ALL)
settings.register_profile("search", max_examples=2000, **_ALL)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
