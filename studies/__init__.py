"""Simulation studies: the methods tried where the truth is known. For tests and documentation; not in the wheel."""
