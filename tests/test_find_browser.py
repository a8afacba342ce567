"""`make test` finds a browser, installs one where permitted, or explains how to get one."""

import pytest

from tests import find_browser

OTHER_ENGINES = ("WebKitWebDriver", "xvfb-run", "dbus-run-session", "firefox-esr")


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A computer with an empty PATH: its only folder, and the list of commands run."""
    ran = []
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SCOREKEEPER_BROWSER", raising=False)
    monkeypatch.setattr(find_browser.subprocess, "run", lambda command, **_: ran.append(command))
    monkeypatch.setattr(find_browser.sys, "platform", "linux")
    monkeypatch.delenv("CI", raising=False)
    for program in ("certutil", *OTHER_ENGINES):
        put(tmp_path, program)
    return tmp_path, ran


def put(folder, name):
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return str(program)


def test_a_browser_on_the_path_is_found(machine, capsys):
    folder, ran = machine
    browser = put(folder, "google-chrome")
    assert find_browser.find_browser() == browser
    find_browser.main()
    assert (capsys.readouterr().out, ran) == ("", [])


def test_one_that_was_chosen_goes_before(machine, monkeypatch):
    folder, _ = machine
    put(folder, "chromium")
    put(folder, "chromium-headless-shell")
    monkeypatch.setenv("SCOREKEEPER_BROWSER", put(folder, "my-browser"))
    assert find_browser.find_browser() == str(folder / "my-browser")


def test_without_the_right_to_install_one_line_says_what_to_do(machine, monkeypatch, capsys):
    folder, ran = machine
    put(folder, "apt-get")
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 1000)
    find_browser.main()
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert "apt install chromium-headless-shell" in said
    assert "left out" in said
    assert ran == []


@pytest.fixture
def root(machine, monkeypatch):
    """Root on Debian: the folder in PATH, and the list of commands run."""
    put(machine[0], "apt-get")
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 0)
    return machine


def test_root_on_debian_gets_one_installed(root, capsys):
    _, ran = root
    find_browser.main()
    assert [command[:2] for command in ran] == [["apt-get", "update"], *[["apt-get", "install"]] * 2]
    assert "chromium-headless-shell" in ran[1]
    assert "chromium" in ran[2]  # if Debian has no shell yet
    assert "No browser" in capsys.readouterr().out  # the fake installation installs nothing


@pytest.mark.parametrize(
    ("ci", "missing", "wanted"), [("", "certutil", "libnss3-tools"), ("true", "firefox-esr", "firefox-esr")]
)
def test_root_gets_what_the_test_of_https_needs_and_in_ci_every_engine(root, monkeypatch, ci, missing, wanted):
    folder, ran = root
    put(folder, "chromium-headless-shell")
    monkeypatch.setenv("CI", ci)
    (folder / missing).unlink()
    find_browser.main()
    assert [command[:2] for command in ran] == [["apt-get", "update"], ["apt-get", "install"]]
    assert wanted in ran[1]
    assert "webkit2gtk-driver" not in ran[1]


def test_a_chosen_browser_that_is_not_there_is_not_replaced(root, monkeypatch, capsys):
    _, ran = root
    monkeypatch.setenv("SCOREKEEPER_BROWSER", "/no/such/browser")
    find_browser.main()
    assert ran == []
    assert "No browser" in capsys.readouterr().out


def test_an_engine_that_is_not_there_is_said_to_be_left_out(machine, capsys):
    folder, ran = machine
    put(folder, "chromium-headless-shell")
    (folder / "xvfb-run").unlink()
    assert find_browser.find_engine("webkit") is None
    assert find_browser.find_engine("firefox") == str(folder / "firefox-esr")
    find_browser.main()
    said = capsys.readouterr().out
    assert said.startswith("NOT TESTED in webkit")
    assert "webkit2gtk-driver" in said
    assert said.count("\n") == 1
    assert ran == []
