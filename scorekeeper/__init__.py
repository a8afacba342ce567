"""Keeps score of Setback; `create_app` is the application factory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Create the application; `config` takes precedence over all other settings.

    The database is not migrated here: run `scorekeeper migrate` before the server.
    """
    # Imported here so that `scorekeeper score` starts without Flask and SQLAlchemy.
    from flask import Flask

    from scorekeeper import config as settings
    from scorekeeper import web
    from scorekeeper.database import session as db

    app = Flask(
        "scorekeeper",
        instance_path=str(settings.instance_folder(config)),
        template_folder=str(settings.bundled("templates")),
        static_folder=None,  # web/common/assets.py serves static/
    )
    settings.configure(app, config)
    db.init_app(app)
    web.register(app)
    return app
