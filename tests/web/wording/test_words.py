"""The players' words."""

from __future__ import annotations

from scorekeeper.web.wording.words import color_suits


def test_the_suits_of_a_sentence_are_marked_and_nothing_else_is_taken_for_a_tag() -> None:
    assert color_suits("Ann <b> 4 ♦︎ and ♠︎") == (
        'Ann &lt;b&gt; 4 <span class="suit suit-D red">♦︎</span> and <span class="suit suit-S">♠︎</span>'
    )
