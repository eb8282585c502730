from runoff.results.tally_parts import TallyQuestion


def test_defaults_are_those_of_the_paper():
    question = TallyQuestion()
    assert (question.exclude, question.policy.alpha, question.seed) == ("task", 0.05, 0)
