"""The bodies of questions and refusals: one schema for the page's interface and for the lines that ``cpsolve play --json`` speaks."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StrictBool, StrictInt, StrictStr

from cpsolve.app.web import work

Text = Annotated[str, Field(max_length=100)]
Level = Annotated[int, Field(ge=1, le=100)] | Text
Value = StrictBool | StrictInt | FiniteFloat | StrictStr | None
Values = Annotated[dict[Text, Value], Field(max_length=20)]


class Error(BaseModel):
    """What is wrong, in words and as a code for programs, and where in the text of the instance."""

    error: str
    code: str = ""
    line: int | None = None
    column: int | None = None


class Question(BaseModel):
    """What a question is about: an instance as text, by its name, or a new game; the moves made since; and the details."""

    model_config = ConfigDict(extra="forbid", strict=True)

    instance: str | None = Field(None, max_length=200_000, description="the instance as text, in any format of the game")
    named: Text | None = Field(None, description="the name of an instance that comes with the game; its first without anything else")
    new: Values | None = Field(None, description="the options of a new game")
    options: Values = Field(default_factory=dict, description="what has to be said beside the text, such as a number of mines")
    moves: list[Text] = Field(default_factory=list, max_length=5_000, description="the moves made since, in order")
    spot: Text | None = Field(None, description="what why and paint are about")
    move: Text | None = Field(None, description="the move to make; without one the computer moves")
    level: Level | None = Field(None, description="how strong the computer is: a level, or the name of a player")
    seed: int | None = Field(None, ge=0, le=2**53, description="makes chance repeatable")
    brush: Text | None = Field(None, description="what is painted")
    method: Text | None = Field(None, description="how it is solved, one of the game's methods")
    settings: Values = Field(default_factory=dict, description="the options of solve")
    scores: bool = Field(False, description="whether what every move is worth is wanted too")
    picture: bool = Field(True, description="whether the picture is wanted")
    frames: bool = Field(False, description="whether pictures of every step are wanted")
    most: int | None = Field(None, ge=1, le=work.MOST_LISTED, description="how many solutions are listed at most")
    number: int | None = Field(None, ge=0, le=10_000, description="which of the best solutions, from 0")
    time_limit: FiniteFloat | None = Field(None, ge=0, le=3600, description="seconds; the server has a limit of its own")


class ModelQuestion(BaseModel):
    """A question to one of the models, with some of its variables fixed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: Text = "solve"
    fixed: Annotated[dict[Text, int], Field(max_length=400)] = Field(default_factory=dict, description="the values of variables, by name")
    seed: int = Field(0, ge=0, le=2**53)
