"""What pages and the API may read of the store: types of rows, and functions that load them.

Nothing here changes the database, and nothing here is sealed. A page that changes something calls a use case. The
imports are the list: `pyproject.toml` lets this module alone pass on what it imports.
"""

from __future__ import annotations

from runoff.server.store.access import SCOPES, Link, load_api_tokens, load_invitation_count, load_link, load_open_links
from runoff.server.store.audit import load_board_audit
from runoff.server.store.boards import (
    BoardStamp,
    StoredBoard,
    load_board,
    load_board_stamp,
    load_boards,
)
from runoff.server.store.campaign_links import CampaignLink, load_campaign_links
from runoff.server.store.campaign_pools import load_campaign_runs, load_known_pairs
from runoff.server.store.campaigns import (
    KIND,
    LOOK,
    PLAN,
    READ,
    Campaign,
    load_campaign,
    load_campaign_problems,
    load_campaigns,
)
from runoff.server.store.erase import is_deleted
from runoff.server.store.files import Incoming
from runoff.server.store.jobs import Job, load_job_counts, load_jobs
from runoff.server.store.judging import load_is_beyond
from runoff.server.store.label_sets import LabelSet, QuerySet, load_campaign_labels, load_label_sets, load_query_sets
from runoff.server.store.models.accounts import ROLES
from runoff.server.store.names import clean_email, clean_name, clean_slug
from runoff.server.store.participation import Completion, load_participations
from runoff.server.store.people import (
    IMPORTER,
    Person,
    Team,
    load_members,
    load_people,
    load_team,
    load_team_by_slug,
    load_teams,
)
from runoff.server.store.scores import MeanScore, StoredVerdict, load_scores, load_verdict_count, load_verdicts
from runoff.server.store.submissions import (
    IR_METADATA,
    MAIL,
    SCORE,
    Quota,
    StoredRun,
    load_entries,
    load_quota,
    load_run,
    load_runs,
)
