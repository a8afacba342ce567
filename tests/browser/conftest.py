"""Fixtures of the browser tests."""

import pytest
from playwright.sync_api import Page

from .phone import Phone


@pytest.fixture
def phone(page: Page) -> Phone:
    return Phone(page)
