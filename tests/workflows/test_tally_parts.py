from runoff.workflows.tally_parts import TallyQuestion


def test_defaults_are_those_of_the_paper():
    question = TallyQuestion()
    assert (question.assessors_per_task, question.policy.alpha, question.seed) == (1, 0.05, 0)
