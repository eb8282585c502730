from runoff.results.tally_tables import TallyOptions


def test_defaults_are_those_of_the_paper():
    question = TallyOptions()
    assert (question.exclude, question.policy.alpha, question.seed) == ("task", 0.05, 0)
