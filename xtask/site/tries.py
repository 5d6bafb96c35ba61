"""The ways from the documents into the explorer: for each heading, what to try, and the state of the page for it.

`docs/explorer.md` describes the state, which is what follows `#` in the explorer's address.
"""

RAY = "k6r/1n6/5p2/8/8/2B5/8/6K1_w_-_-_0_1"
PINNED = "4k3/8/4r3/8/8/4Q3/8/4K3_b_-_-_0_1"
MASKS = "4k3/8/6n1/4R3/8/8/8/4K3_b_-_-_0_1"
STAGES = "1n2k3/P7/8/3pP3/8/5b2/6P1/4K3_w_-_d6_0_1"
PAST = "4k3/8/b7/8/8/8/8/4K2R_w_K_-_0_1"
THIRD = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8_w_-_-_0_1"


def castling(fen: str, move: str) -> tuple[str, str]:
    return "Try it on the board", f"fen={fen}&panel=moves&layers=castling-king-path&ask={move}"


TRIES = {
    "crates/tabiya/docs/explained.md": {
        "1. Shifts: a step is a number": (
            "Try it: step through the shifts of a king on a4",
            "fen=7k/8/8/8/K7/8/8/8_w_-_-_0_1&panel=methods&layers=none&method=shifts&role=king&at=a4",
        ),
        "2. Rays: the first blocker": (
            "Try it: move the blockers of the bishop on c3",
            f"fen={RAY}&panel=methods&layers=none&method=classical&role=bishop&at=c3",
        ),
        "3. Magic bitboards and PEXT: one look-up per slider": (
            "Try it: a magic multiplication, step by step",
            f"fen={RAY}&panel=methods&layers=none&method=magic&role=bishop&at=c3",
        ),
        "4. Checkers, pins and king danger: only legal moves": (
            "Try it: move the pinned rook",
            f"fen={PINNED}&layers=pinned,pinners,pin-lines&ask=e6d6",
        ),
        "5. Capture mask and push mask: answers to a check": (
            "Try it: see both masks",
            f"fen={MASKS}&layers=capture-mask,push-mask",
        ),
        "6. Stages: only the moves that are needed": (
            "Try it: the moves by kind",
            f"fen={STAGES}&panel=moves&layers=none",
        ),
        "7. Why a move is not legal": castling(PAST, "e1g1"),
        "8. Copy, or make and unmake": (
            "Try it: count the leaf nodes to depth 5",
            "fen=startpos&panel=perft&layers=none&perft=5",
        ),
        "9. Zobrist keys: a number for a position": (
            "Try it: play the same moves in another order",
            "fen=startpos&moves=g1f3,g8f6,b1c3&ply=0&panel=moves&layers=none",
        ),
        "10. Debugging with perft": (
            "Try it: compare your own divide of position 3",
            f"fen={THIRD}&panel=compare&layers=none&compare=2",
        ),
    },
    "docs/compare.md": {
        "The first run": (
            "Try it without an installation: paste a divide into the debugger",
            f"fen={THIRD}&panel=compare&layers=none&compare=2",
        ),
        "Reading a finding": (
            "Try it: see this castling on the board",
            "fen=4k3/3r4/8/8/8/8/8/R3K3_w_Q_-_0_1&panel=moves&layers=castling-king-path&ask=e1c1",
        ),
        "What we read": (
            "Try it: paste your program's answer for the start position",
            "fen=startpos&panel=compare&layers=none&compare=1",
        ),
    },
    "docs/castling.md": {
        "The king is in check": castling("4k3/8/8/8/8/3n4/8/R3K2R_w_KQ_-_0_1", "e1g1"),
        "The king would pass through an attacked square": castling("4k3/8/b7/8/8/8/8/R3K2R_w_KQ_-_0_1", "e1g1"),
        "The king would land on an attacked square": castling("4k3/8/7b/8/8/8/8/R3K2R_w_KQ_-_0_1", "e1c1"),
        "A piece is in the way": castling("4k3/8/8/8/8/8/8/RN2K2R_w_KQ_-_0_1", "e1c1"),
        "The right to castle is lost": castling("4k3/8/8/8/8/8/8/R3K2R_w_Q_-_0_1", "e1g1"),
        "And when it's legal after all": castling("1r2k3/8/8/8/8/8/8/R3K2R_w_KQ_-_0_1", "e1c1"),
    },
}
