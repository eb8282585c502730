"""A year of a board with a known truth: forty runs, two query sets, two label sets, judgments, and planted faults."""

from runoff.simulation.year.cast import Plan, Role
from runoff.simulation.year.questions import RunTruth
from runoff.simulation.year.year import SimulatedYear, YearConfig, simulate_year

__all__ = ["Plan", "Role", "RunTruth", "SimulatedYear", "YearConfig", "simulate_year"]
