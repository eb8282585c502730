"""A small board with tasks and answers."""

from runoff.preferences import TaskPlan
from runoff.simulation.panel import simulate_answers
from runoff.verbs.pool import PoolOptions
from runoff.verbs.tasks import tasks
from tests.preferences.pooled import drawn_board

RUNS, QRELS = drawn_board(7, runs=3, docs=8)
MADE = tasks(RUNS, QRELS, options=PoolOptions(), plan=TaskPlan(tests_per_task=2))
ANSWERS = simulate_answers(MADE.tasks, error=0.2)
CARELESS = simulate_answers(MADE.tasks, error=0.2, careless=0.5, assessors=4)
