"""One file per version of the tables; a version that was released is never altered."""
