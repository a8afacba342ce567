"""Read a chart back: the elements of its SVG, and the coordinates of its paths."""

import re
from xml.etree import ElementTree

from scorekeeper.charts import Chart

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]


def drawn(chart: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(chart.svg("chart"))


def classes(element: ElementTree.Element) -> list[str]:
    return element.get("class", "").split()


def found(inside: ElementTree.Element, tag: str, *css: str) -> list[ElementTree.Element]:
    """The elements with that tag and all of the classes."""
    return [element for element in inside.iter(SVG + tag) if set(css) <= set(classes(element))]


def words(inside: ElementTree.Element, *css: str) -> list[str]:
    """The texts as displayed, without their titles."""
    return [shown(text) for text in found(inside, "text", *css)]


def shown(text: ElementTree.Element) -> str:
    return "".join([text.text or "", *(child.tail or "" for child in text)])


def path(inside: ElementTree.Element, tone: str, css: str = "line") -> list[Point]:
    """The coordinates of the line of a tone."""
    (group,) = [one for one in found(inside, "g", tone) if found(one, "path", css)]
    return travelled(found(group, "path", css)[0].get("d", ""))


def travelled(data: str) -> list[Point]:
    """The corners of a path written with M, m, l, h, v, H and z."""
    corners: list[Point] = []
    x = y = 0.0
    for letter, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", data):
        numbers = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", rest)]
        if letter == "z":
            continue
        size = 1 if letter in "hvHV" else 2
        assert numbers and len(numbers) % size == 0, data
        for at in range(0, len(numbers), size):
            across, down = {"h": (numbers[at], 0.0), "v": (0.0, numbers[at]), "H": (numbers[at] - x, 0.0)}.get(
                letter, tuple(numbers[at : at + 2])
            )
            x, y = (across, down) if letter == "M" else (x + across, y + down)
            corners.append((x, y))
    return corners
