"""Minesweeper: every frontier solved exactly, and explained.

from models import minesweeper

game = minesweeper.Game(minesweeper.Field.random(16, 30, 99, seed=1), first_click="opening")
game.open((8, 15))
answer = minesweeper.infer(game.view)
answer.safe, answer.mines, answer.risk((1, 4)), answer.solutions, answer.best
print(minesweeper.why(game.view, min(answer.safe)))
print(minesweeper.play(game, "expert"))  # every move with its risk and its reason
print(minesweeper.campaign(9, 9, 10, games=1000, agent="expert", first_click="safe", seed=1))
"""

from models.minesweeper.agent import AGENTS, Record, play
from models.minesweeper.campaign import LEVELS, CampaignResult, Comparison, campaign, compare
from models.minesweeper.decision import Decision
from models.minesweeper.drawing import draw
from models.minesweeper.encode import decode, encode
from models.minesweeper.explanation import Explanation, why
from models.minesweeper.inference import Inference, infer
from models.minesweeper.rules import Field, Game, View

__all__ = [
    "AGENTS",
    "LEVELS",
    "CampaignResult",
    "Comparison",
    "Decision",
    "Explanation",
    "Field",
    "Game",
    "Inference",
    "Record",
    "View",
    "campaign",
    "compare",
    "decode",
    "draw",
    "encode",
    "infer",
    "play",
    "why",
]
