"""`make test` finds a browser, installs one where it may, or says how to get one."""

import pytest

from tests import find_browser

OTHER_ENGINES = ("WebKitWebDriver", "xvfb-run", "dbus-run-session", "firefox-esr")


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine with nothing on its path; answers the folder that is its path, and what was run there."""
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


def test_tests_prefer_the_browser_without_a_window_and_lighthouse_the_other(machine):
    folder, _ = machine
    shell = put(folder, "chromium-headless-shell")
    assert find_browser.find_browser(full=True) == shell
    chromium = put(folder, "chromium")
    assert find_browser.find_browser() == shell
    assert find_browser.find_browser(full=True) == chromium


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


def test_root_on_debian_gets_one_installed(machine, monkeypatch, capsys):
    folder, ran = machine
    put(folder, "apt-get")
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 0)
    find_browser.main()
    assert [command[:2] for command in ran] == [["apt-get", "update"], *[["apt-get", "install"]] * 2]
    assert "chromium-headless-shell" in ran[1]
    assert "chromium" in ran[2]  # where Debian has no shell yet
    assert "No browser" in capsys.readouterr().out  # the pretended installation brought none


def test_root_on_debian_gets_the_quick_browser_beside_a_slow_one(machine, monkeypatch, capsys):
    folder, ran = machine
    put(folder, "apt-get")
    put(folder, "chromium")
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 0)
    find_browser.main()
    assert len(ran) == 1
    assert "chromium-headless-shell" in ran[0]
    assert capsys.readouterr().out == ""


def test_root_on_debian_gets_what_the_test_of_https_needs(machine, monkeypatch):
    folder, ran = machine
    put(folder, "apt-get")
    put(folder, "chromium-headless-shell")
    (folder / "certutil").unlink()
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 0)
    find_browser.main()
    assert [command[:2] for command in ran] == [["apt-get", "update"], ["apt-get", "install"]]
    assert "libnss3-tools" in ran[1]


def test_a_chosen_browser_that_is_not_there_is_not_replaced(machine, monkeypatch, capsys):
    folder, ran = machine
    put(folder, "apt-get")
    monkeypatch.setenv("SCOREKEEPER_BROWSER", "/no/such/browser")
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 0)
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


def test_in_ci_root_gets_every_engine(machine, monkeypatch):
    folder, ran = machine
    put(folder, "apt-get")
    put(folder, "chromium-headless-shell")
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 0)
    (folder / "firefox-esr").unlink()
    find_browser.main()
    assert [command[:2] for command in ran] == [["apt-get", "update"], ["apt-get", "install"]]
    assert "firefox-esr" in ran[1]
    assert "webkit2gtk-driver" not in ran[1]
