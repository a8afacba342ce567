"""A bare WebKit window of a phone's size, driven by WebKitWebDriver. Runs in Debian's own Python, which has `gi`.

`webkit_window.py 390 664 FILE`: a page is printed to FILE when its title becomes "print", as driven pages may not print
by themselves. All windows belong to one browser.
"""

import sys
from pathlib import Path
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

WIDTH, HEIGHT, PAPER = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
KEPT: list[Any] = []  # referenced until they have printed


def open_window(session: Any) -> Any:
    view = WebKit2.WebView(web_context=CONTEXT, is_controlled_by_automation=True)
    view.connect("notify::title", print_to_file)
    window = Gtk.Window(decorated=False, default_width=WIDTH, default_height=HEIGHT)
    window.add(view)
    window.show_all()
    return view


def print_to_file(view: Any, _: Any) -> None:
    if view.get_title() != "print":
        return
    settings = Gtk.PrintSettings()
    settings.set_printer("Print to File")
    settings.set("output-uri", f"file://{PAPER}.part")
    settings.set("output-file-format", "pdf")
    setup = Gtk.PageSetup()
    setup.set_paper_size_and_default_margins(Gtk.PaperSize.new("na_letter"))
    operation = WebKit2.PrintOperation.new(view)
    operation.set_print_settings(settings)
    operation.set_page_setup(setup)
    operation.connect("finished", lambda _: Path(f"{PAPER}.part").rename(PAPER))
    operation.print_()
    KEPT.append(operation)


def begin(context: Any, session: Any) -> None:
    """Set the name that the driver expects, that of Debian's own browser window."""
    about = WebKit2.ApplicationInfo()
    about.set_name("MiniBrowser")
    session.set_application_info(about)
    session.connect("create-web-view", open_window)


CONTEXT = WebKit2.WebContext.new_ephemeral()
CONTEXT.set_automation_allowed(True)
CONTEXT.connect("automation-started", begin)
Gtk.main()
