"""A large file: how far it is read, what came of it, and a way to cancel."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.transfer.jobs import BRING, CANCELED, DONE, LOOK, REFUSED, Job
from scorekeeper.web.common.scope import scoped
from scorekeeper.web.wording import form_sentences as say

from .views import job_store, page, room

bp = scoped(Blueprint("large_files", __name__))


@bp.get("/c/<key>/transfers/file/<token>")
def show(token: str) -> ResponseReturnValue:
    """How far a file is; when it is done, what came of it."""
    job = job_store().find(g.club.id, token)
    if job is None:
        return page(say.FILE_IS_GONE, 404)
    if job.works:
        seen = {"job": job, "imports": job.what == BRING, "canceled": job_store().is_canceled(g.club.id)}
        return render_template("transfers/progress.html", club=g.club, **seen)
    if request.headers.get("HX-Request"):
        return "", 204, {"HX-Redirect": request.path}
    if job.state == DONE and job.what == LOOK:
        looked = {"report": job.report, "said": job.said, "token": job.token, "file": job.file}
        return render_template("transfers/preview.html", club=g.club, **looked)
    return _end(job)


def _end(job: Job) -> ResponseReturnValue:
    """Say once what came of a file, and forget it."""
    job_store().drop(g.club.id)
    room().drop(g.club.id, job.token)
    if job.state in (DONE, CANCELED):
        for sentence in job.said if job.state == DONE else [say.CANCELED]:
            flash(sentence)
        return redirect(url_for("transfers.index", key=g.club.key), 303)
    return page(_sorry(job), 422)


def _sorry(job: Job) -> str:
    if job.state == REFUSED:
        return say.file_refused(job.said[0]) if "line" in job.report else job.said[0]
    return say.IMPORT_STOPPED if job.what == BRING else say.READING_STOPPED


@bp.post("/c/<key>/transfers/file/<token>/cancel")
def cancel(token: str) -> ResponseReturnValue:
    """Ask that a file be let go."""
    if (job := job_store().find(g.club.id, token)) and job.works:
        job_store().cancel(g.club.id)
    return redirect(url_for("large_files.show", key=g.club.key, token=token), 303)
