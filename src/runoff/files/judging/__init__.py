"""Files about judging: tasks and pairs to be judged, the texts to show, and judgments, one file per format."""
