-- The tables of version v0023, as PostgreSQL writes them; v0023_tables.py lists what SQLite calls by another name.
-- Frozen: a change of the tables is a further version.
CREATE TABLE board (
    id SERIAL NOT NULL, slug VARCHAR(60) NOT NULL, title VARCHAR(200) NOT NULL, description TEXT NOT NULL,
    measure VARCHAR(60) NOT NULL, depth INTEGER NOT NULL, relevance_level INTEGER NOT NULL, alpha FLOAT NOT NULL,
    correction VARCHAR(40) NOT NULL, gains JSON, window_days INTEGER NOT NULL, most INTEGER NOT NULL,
    variants INTEGER NOT NULL, opens_at TIMESTAMP WITH TIME ZONE, closes_at TIMESTAMP WITH TIME ZONE,
    upload_limit BIGINT NOT NULL, digits INTEGER NOT NULL, private_until TIMESTAMP WITH TIME ZONE,
    anonymous_until TIMESTAMP WITH TIME ZONE, created_at TIMESTAMP WITH TIME ZONE NOT NULL, version INTEGER NOT NULL,
    choice INTEGER DEFAULT '0' NOT NULL, release VARCHAR(20) DEFAULT 'all' NOT NULL,
    record_rule VARCHAR(20) DEFAULT 'fallback' NOT NULL,
    CONSTRAINT pk_board PRIMARY KEY (id),
    CONSTRAINT ck_board_depth_positive CHECK (depth > 0),
    CONSTRAINT ck_board_alpha_inside CHECK (alpha > 0 AND alpha < 1),
    CONSTRAINT ck_board_rule_possible CHECK (window_days > 0 AND most > 0 AND variants >= 0),
    CONSTRAINT ck_board_upload_limit_positive CHECK (upload_limit > 0),
    CONSTRAINT ck_board_digits_inside CHECK (digits BETWEEN 1 AND 10),
    CONSTRAINT uq_board_slug UNIQUE (slug)
);
CREATE TABLE consent_text (
    content_hash VARCHAR(64) NOT NULL, content TEXT NOT NULL,
    CONSTRAINT pk_consent_text PRIMARY KEY (content_hash)
);
CREATE TABLE job (
    id SERIAL NOT NULL, kind VARCHAR(60) NOT NULL, job_key VARCHAR(200) NOT NULL, payload JSON NOT NULL,
    state VARCHAR(20) NOT NULL, attempts INTEGER NOT NULL, most_attempts INTEGER NOT NULL, fence INTEGER NOT NULL,
    worker VARCHAR(100), lease_until TIMESTAMP WITH TIME ZONE, run_after TIMESTAMP WITH TIME ZONE NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, finished_at TIMESTAMP WITH TIME ZONE, result JSON, error TEXT,
    CONSTRAINT pk_job PRIMARY KEY (id),
    CONSTRAINT ck_job_state_known CHECK (state IN ('queued', 'running', 'done', 'failed')),
    CONSTRAINT ck_job_attempts_inside CHECK (attempts >= 0 AND attempts <= most_attempts),
    CONSTRAINT ck_job_lease_of_the_running CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CONSTRAINT ck_job_end_of_the_finished CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL)),
    CONSTRAINT uq_job_job_key UNIQUE (job_key)
);
CREATE INDEX ix_job_state_run_after ON job (state, run_after);
CREATE TABLE login_attempt (
    id SERIAL NOT NULL, email VARCHAR(254) NOT NULL, address VARCHAR(64) NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL, succeeded BOOLEAN NOT NULL,
    CONSTRAINT pk_login_attempt PRIMARY KEY (id)
);
CREATE INDEX ix_login_attempt_address_at ON login_attempt (address, at);
CREATE INDEX ix_login_attempt_email_at ON login_attempt (email, at);
CREATE TABLE person (
    id SERIAL NOT NULL, email VARCHAR(254) NOT NULL, display_name VARCHAR(100) NOT NULL, role VARCHAR(20) NOT NULL,
    password_hash VARCHAR(200), created_at TIMESTAMP WITH TIME ZONE NOT NULL, disabled_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_person PRIMARY KEY (id),
    CONSTRAINT ck_person_role_known CHECK (role IN ('organiser', 'member', 'assessor')),
    CONSTRAINT uq_person_email UNIQUE (email)
);
CREATE TABLE team (
    id SERIAL NOT NULL, slug VARCHAR(60) NOT NULL, name VARCHAR(100) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_team PRIMARY KEY (id),
    CONSTRAINT uq_team_slug UNIQUE (slug),
    CONSTRAINT uq_team_name UNIQUE (name)
);
CREATE TABLE api_token (
    id SERIAL NOT NULL, token_hash VARCHAR(64) NOT NULL, person_id INTEGER NOT NULL, name VARCHAR(100) NOT NULL,
    scopes JSON NOT NULL, created_at TIMESTAMP WITH TIME ZONE NOT NULL, expires_at TIMESTAMP WITH TIME ZONE,
    revoked_at TIMESTAMP WITH TIME ZONE, last_used_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_api_token PRIMARY KEY (id),
    CONSTRAINT uq_api_token_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_api_token_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE INDEX ix_api_token_person_id ON api_token (person_id);
CREATE TABLE audit (
    id SERIAL NOT NULL, at TIMESTAMP WITH TIME ZONE NOT NULL, actor_id INTEGER, action VARCHAR(60) NOT NULL,
    thing VARCHAR(40) NOT NULL, thing_id INTEGER NOT NULL, details JSON NOT NULL,
    CONSTRAINT pk_audit PRIMARY KEY (id),
    CONSTRAINT fk_audit_actor_id FOREIGN KEY(actor_id) REFERENCES person (id)
);
CREATE INDEX ix_audit_thing_thing_id ON audit (thing, thing_id);
CREATE TABLE campaign (
    id SERIAL NOT NULL, board_id INTEGER, slug VARCHAR(60) NOT NULL, title VARCHAR(200) NOT NULL,
    instructions TEXT NOT NULL, state VARCHAR(20) NOT NULL, created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_campaign PRIMARY KEY (id),
    CONSTRAINT ck_campaign_state_known CHECK (state IN ('draft', 'open', 'closed')),
    CONSTRAINT fk_campaign_board_id FOREIGN KEY(board_id) REFERENCES board (id),
    CONSTRAINT uq_campaign_slug UNIQUE (slug)
);
CREATE TABLE hidden_share (
    board_id INTEGER NOT NULL, share FLOAT NOT NULL, secret VARCHAR(64) NOT NULL, choice INTEGER NOT NULL,
    CONSTRAINT pk_hidden_share PRIMARY KEY (board_id),
    CONSTRAINT ck_hidden_share_share_inside CHECK (share >= 0 AND share < 1),
    CONSTRAINT ck_hidden_share_choice_positive CHECK (choice > 0),
    CONSTRAINT fk_hidden_share_board_id FOREIGN KEY(board_id) REFERENCES board (id)
);
CREATE TABLE label_set (
    id SERIAL NOT NULL, board_id INTEGER NOT NULL, name VARCHAR(60) NOT NULL, version INTEGER NOT NULL,
    sealed BOOLEAN NOT NULL, content_hash VARCHAR(64), queries INTEGER NOT NULL, note TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, judged INTEGER NOT NULL, relevance_level INTEGER,
    CONSTRAINT pk_label_set PRIMARY KEY (id),
    CONSTRAINT uq_label_set_board_id_name_version UNIQUE (board_id, name, version),
    CONSTRAINT uq_label_set_id_sealed UNIQUE (id, sealed),
    CONSTRAINT ck_label_set_hash_of_the_unsealed CHECK (sealed = (content_hash IS NULL)),
    CONSTRAINT fk_label_set_board_id FOREIGN KEY(board_id) REFERENCES board (id)
);
CREATE TABLE one_time_link (
    id SERIAL NOT NULL, token_hash VARCHAR(64) NOT NULL, kind VARCHAR(20) NOT NULL, email VARCHAR(254) NOT NULL,
    role VARCHAR(20), team_id INTEGER, created_by INTEGER, created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL, used_at TIMESTAMP WITH TIME ZONE, mailed_hash VARCHAR(64),
    CONSTRAINT pk_one_time_link PRIMARY KEY (id),
    CONSTRAINT ck_one_time_link_kind_known CHECK (kind IN ('account', 'team', 'password')),
    CONSTRAINT ck_one_time_link_role_known CHECK (role IN ('organiser', 'member', 'assessor')),
    CONSTRAINT uq_one_time_link_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_one_time_link_team_id FOREIGN KEY(team_id) REFERENCES team (id),
    CONSTRAINT fk_one_time_link_created_by FOREIGN KEY(created_by) REFERENCES person (id)
);
CREATE TABLE query_set (
    id SERIAL NOT NULL, board_id INTEGER NOT NULL, name VARCHAR(60) NOT NULL, version INTEGER NOT NULL,
    sealed BOOLEAN NOT NULL, content_hash VARCHAR(64), queries INTEGER NOT NULL, note TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_query_set PRIMARY KEY (id),
    CONSTRAINT uq_query_set_board_id_name_version UNIQUE (board_id, name, version),
    CONSTRAINT uq_query_set_id_sealed UNIQUE (id, sealed),
    CONSTRAINT ck_query_set_hash_of_the_unsealed CHECK (sealed = (content_hash IS NULL)),
    CONSTRAINT fk_query_set_board_id FOREIGN KEY(board_id) REFERENCES board (id)
);
CREATE TABLE run (
    id SERIAL NOT NULL, board_id INTEGER NOT NULL, team_id INTEGER NOT NULL, submitted_by INTEGER NOT NULL,
    submitted_at TIMESTAMP WITH TIME ZONE NOT NULL, submission_key VARCHAR(100) NOT NULL, name VARCHAR(100) NOT NULL,
    description TEXT NOT NULL, metadata JSON NOT NULL, content_hash VARCHAR(64) NOT NULL, size BIGINT NOT NULL,
    variant_of INTEGER, baseline BOOLEAN NOT NULL, anonymous BOOLEAN NOT NULL,
    anonymous_until TIMESTAMP WITH TIME ZONE, embargo_until TIMESTAMP WITH TIME ZONE, state VARCHAR(20) NOT NULL,
    counts BOOLEAN NOT NULL, problems JSON NOT NULL, scored_at TIMESTAMP WITH TIME ZONE,
    held BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_run PRIMARY KEY (id),
    CONSTRAINT uq_run_board_id_team_id_submission_key UNIQUE (board_id, team_id, submission_key),
    CONSTRAINT uq_run_board_id_team_id_name UNIQUE (board_id, team_id, name),
    CONSTRAINT ck_run_size_possible CHECK (size >= 0),
    CONSTRAINT ck_run_state_known CHECK (state IN ('queued', 'scoring', 'scored', 'rejected')),
    CONSTRAINT fk_run_board_id FOREIGN KEY(board_id) REFERENCES board (id),
    CONSTRAINT fk_run_team_id FOREIGN KEY(team_id) REFERENCES team (id),
    CONSTRAINT fk_run_submitted_by FOREIGN KEY(submitted_by) REFERENCES person (id),
    CONSTRAINT fk_run_variant_of FOREIGN KEY(variant_of) REFERENCES run (id)
);
CREATE INDEX ix_run_board_id_team_id_submitted_at ON run (board_id, team_id, submitted_at);
CREATE TABLE session (
    id SERIAL NOT NULL, token_hash VARCHAR(64) NOT NULL, person_id INTEGER NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL, expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_session PRIMARY KEY (id),
    CONSTRAINT uq_session_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_session_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE INDEX ix_session_person_id ON session (person_id);
CREATE TABLE team_member (
    team_id INTEGER NOT NULL, person_id INTEGER NOT NULL, joined_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_team_member PRIMARY KEY (team_id, person_id),
    CONSTRAINT fk_team_member_team_id FOREIGN KEY(team_id) REFERENCES team (id),
    CONSTRAINT fk_team_member_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE INDEX ix_team_member_person_id ON team_member (person_id);
CREATE TABLE worker (
    id SERIAL NOT NULL, site VARCHAR(60) NOT NULL, worker_id VARCHAR(200) NOT NULL, person_id INTEGER NOT NULL,
    CONSTRAINT pk_worker PRIMARY KEY (id),
    CONSTRAINT uq_worker_site_worker_id UNIQUE (site, worker_id),
    CONSTRAINT uq_worker_person_id UNIQUE (person_id),
    CONSTRAINT fk_worker_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE TABLE analysis (
    id SERIAL NOT NULL, run_id INTEGER NOT NULL, label_set_id INTEGER NOT NULL, query_set_id INTEGER NOT NULL,
    sealed BOOLEAN NOT NULL, kind VARCHAR(60) NOT NULL, kernel VARCHAR(60) NOT NULL,
    content_hash VARCHAR(64) NOT NULL, content BYTEA NOT NULL, created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_analysis PRIMARY KEY (id),
    CONSTRAINT ck_analysis_open_only CHECK (NOT sealed),
    CONSTRAINT fk_analysis_label_set_id_sealed FOREIGN KEY(label_set_id, sealed) REFERENCES label_set (id, sealed),
    CONSTRAINT fk_analysis_query_set_id_sealed FOREIGN KEY(query_set_id, sealed) REFERENCES query_set (id, sealed),
    CONSTRAINT uq_analysis_run_id_label_set_id_query_set_id_kind_kernel UNIQUE (run_id, label_set_id, query_set_id, kind, kernel),
    CONSTRAINT fk_analysis_run_id FOREIGN KEY(run_id) REFERENCES run (id)
);
CREATE TABLE campaign_assessor (
    campaign_id INTEGER NOT NULL, person_id INTEGER NOT NULL, consented_at TIMESTAMP WITH TIME ZONE NOT NULL,
    left_at TIMESTAMP WITH TIME ZONE, stopped_at TIMESTAMP WITH TIME ZONE, consent_hash VARCHAR(64),
    CONSTRAINT pk_campaign_assessor PRIMARY KEY (campaign_id, person_id),
    CONSTRAINT fk_campaign_assessor_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id),
    CONSTRAINT fk_campaign_assessor_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE TABLE campaign_label (
    label_set_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, judgments INTEGER NOT NULL, changed INTEGER NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_campaign_label PRIMARY KEY (label_set_id),
    CONSTRAINT fk_campaign_label_label_set_id FOREIGN KEY(label_set_id) REFERENCES label_set (id),
    CONSTRAINT fk_campaign_label_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);
CREATE TABLE campaign_link (
    id SERIAL NOT NULL, token_hash VARCHAR(64) NOT NULL, campaign_id INTEGER NOT NULL, site VARCHAR(60),
    most_uses INTEGER, uses INTEGER NOT NULL, created_by INTEGER, created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE, withdrawn_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_campaign_link PRIMARY KEY (id),
    CONSTRAINT ck_campaign_link_uses_within CHECK (uses >= 0 AND (most_uses IS NULL OR uses <= most_uses)),
    CONSTRAINT uq_campaign_link_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_campaign_link_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id),
    CONSTRAINT fk_campaign_link_created_by FOREIGN KEY(created_by) REFERENCES person (id)
);
CREATE TABLE campaign_run (
    campaign_id INTEGER NOT NULL, run_id INTEGER NOT NULL, added_at TIMESTAMP WITH TIME ZONE NOT NULL, tops BYTEA,
    read_depth INTEGER,
    CONSTRAINT pk_campaign_run PRIMARY KEY (campaign_id, run_id),
    CONSTRAINT fk_campaign_run_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id),
    CONSTRAINT fk_campaign_run_run_id FOREIGN KEY(run_id) REFERENCES run (id)
);
CREATE TABLE campaign_settings (
    campaign_id INTEGER NOT NULL, label_set VARCHAR(60) NOT NULL, sample INTEGER, seed INTEGER NOT NULL,
    depth INTEGER NOT NULL, judgments_per_pair INTEGER NOT NULL, pairs_per_task INTEGER NOT NULL,
    tests_per_task INTEGER NOT NULL, pay FLOAT NOT NULL, fee FLOAT NOT NULL, currency VARCHAR(20) DEFAULT '' NOT NULL,
    seconds_per_pair FLOAT NOT NULL, too_fast FLOAT NOT NULL, lease_minutes INTEGER NOT NULL, consent TEXT NOT NULL,
    way VARCHAR(20) NOT NULL, standing BOOLEAN NOT NULL, single_best BOOLEAN NOT NULL, query_texts VARCHAR(64),
    doc_texts VARCHAR(64), version INTEGER NOT NULL, started_at TIMESTAMP WITH TIME ZONE,
    planned_at TIMESTAMP WITH TIME ZONE, paused_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_campaign_settings PRIMARY KEY (campaign_id),
    CONSTRAINT ck_campaign_settings_way_known CHECK (way IN ('full', 'sequential')),
    CONSTRAINT ck_campaign_settings_sample_positive CHECK (sample > 0),
    CONSTRAINT ck_campaign_settings_plan_possible CHECK (depth > 0 AND judgments_per_pair > 0 AND pairs_per_task > 0),
    CONSTRAINT ck_campaign_settings_task_possible CHECK (tests_per_task >= 0 AND lease_minutes > 0),
    CONSTRAINT ck_campaign_settings_money_possible CHECK (pay >= 0 AND fee >= 0),
    CONSTRAINT fk_campaign_settings_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);
CREATE TABLE campaign_text (
    campaign_id INTEGER NOT NULL, kind VARCHAR(20) NOT NULL, text_id TEXT NOT NULL, content TEXT NOT NULL,
    CONSTRAINT pk_campaign_text PRIMARY KEY (campaign_id, kind, text_id),
    CONSTRAINT ck_campaign_text_kind_known CHECK (kind IN ('query', 'document')),
    CONSTRAINT fk_campaign_text_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);
CREATE TABLE completion (
    id SERIAL NOT NULL, campaign_id INTEGER NOT NULL, person_id INTEGER NOT NULL, code VARCHAR(40) NOT NULL,
    reference VARCHAR(200) NOT NULL, tasks INTEGER NOT NULL, judgments INTEGER NOT NULL, discarded INTEGER NOT NULL,
    pay FLOAT NOT NULL, at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_completion PRIMARY KEY (id),
    CONSTRAINT fk_completion_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id),
    CONSTRAINT fk_completion_person_id FOREIGN KEY(person_id) REFERENCES person (id),
    CONSTRAINT uq_completion_code UNIQUE (code)
);
CREATE INDEX ix_completion_campaign_id_person_id ON completion (campaign_id, person_id);
CREATE TABLE entry (
    id SERIAL NOT NULL, board_id INTEGER NOT NULL, team_id INTEGER NOT NULL, run_id INTEGER NOT NULL,
    chosen_by INTEGER NOT NULL, chosen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_entry PRIMARY KEY (id),
    CONSTRAINT fk_entry_board_id FOREIGN KEY(board_id) REFERENCES board (id),
    CONSTRAINT fk_entry_team_id FOREIGN KEY(team_id) REFERENCES team (id),
    CONSTRAINT fk_entry_run_id FOREIGN KEY(run_id) REFERENCES run (id),
    CONSTRAINT fk_entry_chosen_by FOREIGN KEY(chosen_by) REFERENCES person (id)
);
CREATE INDEX ix_entry_board_id_team_id ON entry (board_id, team_id);
CREATE TABLE known_pair (
    id SERIAL NOT NULL, campaign_id INTEGER NOT NULL, query_id TEXT NOT NULL, right_doc TEXT NOT NULL,
    wrong_doc TEXT NOT NULL, drawn BOOLEAN NOT NULL, removed_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_known_pair PRIMARY KEY (id),
    CONSTRAINT uq_known_pair_campaign_id_query_id_right_doc_wrong_doc UNIQUE (campaign_id, query_id, right_doc, wrong_doc),
    CONSTRAINT ck_known_pair_two_documents CHECK (right_doc <> wrong_doc),
    CONSTRAINT fk_known_pair_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);
CREATE TABLE label_use (
    id SERIAL NOT NULL, label_set_id INTEGER NOT NULL, since TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_label_use PRIMARY KEY (id),
    CONSTRAINT fk_label_use_label_set_id FOREIGN KEY(label_set_id) REFERENCES label_set (id)
);
CREATE INDEX ix_label_use_label_set_id ON label_use (label_set_id);
CREATE TABLE pool_item (
    campaign_id INTEGER NOT NULL, query_id TEXT NOT NULL, doc_id TEXT NOT NULL, runs INTEGER NOT NULL,
    labelled BOOLEAN NOT NULL, place INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_pool_item PRIMARY KEY (campaign_id, query_id, doc_id),
    CONSTRAINT fk_pool_item_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);
CREATE TABLE score (
    id SERIAL NOT NULL, run_id INTEGER NOT NULL, label_set_id INTEGER NOT NULL, query_set_id INTEGER NOT NULL,
    measure VARCHAR(60) NOT NULL, kernel VARCHAR(60) NOT NULL, mean FLOAT NOT NULL, queries INTEGER NOT NULL,
    missing_queries INTEGER NOT NULL, created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_score PRIMARY KEY (id),
    CONSTRAINT uq_score_run_id_label_set_id_query_set_id_measure_kernel UNIQUE (run_id, label_set_id, query_set_id, measure, kernel),
    CONSTRAINT fk_score_run_id FOREIGN KEY(run_id) REFERENCES run (id),
    CONSTRAINT fk_score_label_set_id FOREIGN KEY(label_set_id) REFERENCES label_set (id),
    CONSTRAINT fk_score_query_set_id FOREIGN KEY(query_set_id) REFERENCES query_set (id)
);
CREATE TABLE sealed_analysis (
    id SERIAL NOT NULL, run_id INTEGER NOT NULL, label_set_id INTEGER NOT NULL, query_set_id INTEGER NOT NULL,
    kind VARCHAR(60) NOT NULL, kernel VARCHAR(60) NOT NULL, content_hash VARCHAR(64) NOT NULL, content BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_sealed_analysis PRIMARY KEY (id),
    CONSTRAINT uq_sealed_analysis_run_id_label_set_id_query_set_id_kind_kernel UNIQUE (run_id, label_set_id, query_set_id, kind, kernel),
    CONSTRAINT fk_sealed_analysis_run_id FOREIGN KEY(run_id) REFERENCES run (id),
    CONSTRAINT fk_sealed_analysis_label_set_id FOREIGN KEY(label_set_id) REFERENCES label_set (id),
    CONSTRAINT fk_sealed_analysis_query_set_id FOREIGN KEY(query_set_id) REFERENCES query_set (id)
);
CREATE TABLE sealed_labels (
    label_set_id INTEGER NOT NULL, content BYTEA NOT NULL,
    CONSTRAINT pk_sealed_labels PRIMARY KEY (label_set_id),
    CONSTRAINT fk_sealed_labels_label_set_id FOREIGN KEY(label_set_id) REFERENCES label_set (id)
);
CREATE TABLE sealed_queries (
    query_set_id INTEGER NOT NULL, content BYTEA NOT NULL,
    CONSTRAINT pk_sealed_queries PRIMARY KEY (query_set_id),
    CONSTRAINT fk_sealed_queries_query_set_id FOREIGN KEY(query_set_id) REFERENCES query_set (id)
);
CREATE TABLE task (
    id SERIAL NOT NULL, campaign_id INTEGER NOT NULL, batch INTEGER NOT NULL, copy INTEGER NOT NULL,
    state VARCHAR(20) NOT NULL,
    CONSTRAINT pk_task PRIMARY KEY (id),
    CONSTRAINT uq_task_campaign_id_batch_copy UNIQUE (campaign_id, batch, copy),
    CONSTRAINT uq_task_id_campaign_id_batch UNIQUE (id, campaign_id, batch),
    CONSTRAINT ck_task_state_known CHECK (state IN ('open', 'given', 'done')),
    CONSTRAINT fk_task_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);
CREATE INDEX ix_task_campaign_id_state ON task (campaign_id, state, copy, batch);
CREATE TABLE verdict (
    id SERIAL NOT NULL, run_id INTEGER NOT NULL, champion_id INTEGER, label_set_id INTEGER NOT NULL,
    query_set_id INTEGER NOT NULL, strict VARCHAR(20) NOT NULL, do_no_harm VARCHAR(20) NOT NULL,
    sentence TEXT NOT NULL, policy JSON NOT NULL, kernel VARCHAR(60) NOT NULL,
    decided_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_verdict PRIMARY KEY (id),
    CONSTRAINT uq_verdict_run_id_label_set_id_query_set_id UNIQUE (run_id, label_set_id, query_set_id),
    CONSTRAINT ck_verdict_against_another CHECK (champion_id <> run_id),
    CONSTRAINT fk_verdict_run_id FOREIGN KEY(run_id) REFERENCES run (id),
    CONSTRAINT fk_verdict_champion_id FOREIGN KEY(champion_id) REFERENCES run (id),
    CONSTRAINT fk_verdict_label_set_id FOREIGN KEY(label_set_id) REFERENCES label_set (id),
    CONSTRAINT fk_verdict_query_set_id FOREIGN KEY(query_set_id) REFERENCES query_set (id)
);
CREATE TABLE assignment (
    id SERIAL NOT NULL, task_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, batch INTEGER NOT NULL,
    person_id INTEGER NOT NULL, state VARCHAR(20) NOT NULL, given_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL, ended_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_assignment PRIMARY KEY (id),
    CONSTRAINT fk_assignment_task_id_campaign_id_batch FOREIGN KEY(task_id, campaign_id, batch) REFERENCES task (id, campaign_id, batch),
    CONSTRAINT fk_assignment_campaign_id_person_id FOREIGN KEY(campaign_id, person_id) REFERENCES campaign_assessor (campaign_id, person_id),
    CONSTRAINT uq_assignment_id_task_id UNIQUE (id, task_id),
    CONSTRAINT batch_once UNIQUE (campaign_id, batch, person_id),
    CONSTRAINT ck_assignment_state_known CHECK (state IN ('given', 'done', 'returned', 'discarded')),
    CONSTRAINT ck_assignment_end_of_the_ended CHECK ((state = 'given') = (ended_at IS NULL))
);
CREATE INDEX ix_assignment_campaign_id_person_id ON assignment (campaign_id, person_id);
CREATE UNIQUE INDEX one_at_a_time ON assignment (campaign_id, person_id) WHERE state = 'given';
CREATE UNIQUE INDEX one_holder ON assignment (task_id) WHERE state IN ('given', 'done');
CREATE TABLE campaign_entry (
    id SERIAL NOT NULL, campaign_id INTEGER NOT NULL, person_id INTEGER NOT NULL, link_id INTEGER,
    reference VARCHAR(200) NOT NULL, at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_campaign_entry PRIMARY KEY (id),
    CONSTRAINT uq_campaign_entry_campaign_id_person_id_reference UNIQUE (campaign_id, person_id, reference),
    CONSTRAINT fk_campaign_entry_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id),
    CONSTRAINT fk_campaign_entry_person_id FOREIGN KEY(person_id) REFERENCES person (id),
    CONSTRAINT fk_campaign_entry_link_id FOREIGN KEY(link_id) REFERENCES campaign_link (id)
);
CREATE TABLE task_pair (
    id SERIAL NOT NULL, task_id INTEGER NOT NULL, place INTEGER NOT NULL, query_id TEXT NOT NULL,
    left_doc TEXT NOT NULL, right_doc TEXT NOT NULL, expected VARCHAR(5),
    CONSTRAINT pk_task_pair PRIMARY KEY (id),
    CONSTRAINT uq_task_pair_task_id_place UNIQUE (task_id, place),
    CONSTRAINT uq_task_pair_id_task_id UNIQUE (id, task_id),
    CONSTRAINT ck_task_pair_two_documents CHECK (left_doc <> right_doc),
    CONSTRAINT ck_task_pair_expected_known CHECK (expected IN ('left', 'right')),
    CONSTRAINT fk_task_pair_task_id FOREIGN KEY(task_id) REFERENCES task (id)
);
CREATE TABLE imported_task (
    id SERIAL NOT NULL, campaign_id INTEGER NOT NULL, assessor TEXT NOT NULL, task TEXT NOT NULL,
    content_hash VARCHAR(64) NOT NULL, assignment_id INTEGER NOT NULL,
    CONSTRAINT pk_imported_task PRIMARY KEY (id),
    CONSTRAINT uq_imported_task_campaign_id_assessor_task UNIQUE (campaign_id, assessor, task),
    CONSTRAINT fk_imported_task_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id),
    CONSTRAINT fk_imported_task_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignment (id)
);
CREATE TABLE judgment (
    id SERIAL NOT NULL, assignment_id INTEGER NOT NULL, task_id INTEGER NOT NULL, task_pair_id INTEGER NOT NULL,
    turn INTEGER NOT NULL, preferred VARCHAR(5), seconds FLOAT NOT NULL, at TIMESTAMP WITH TIME ZONE NOT NULL,
    retry_key VARCHAR(64),
    CONSTRAINT pk_judgment PRIMARY KEY (id),
    CONSTRAINT fk_judgment_assignment_id_task_id FOREIGN KEY(assignment_id, task_id) REFERENCES assignment (id, task_id),
    CONSTRAINT fk_judgment_task_pair_id_task_id FOREIGN KEY(task_pair_id, task_id) REFERENCES task_pair (id, task_id),
    CONSTRAINT uq_judgment_assignment_id_turn UNIQUE (assignment_id, turn),
    CONSTRAINT uq_judgment_assignment_id_retry_key UNIQUE (assignment_id, retry_key),
    CONSTRAINT ck_judgment_preferred_known CHECK (preferred IN ('left', 'right', 'tie')),
    CONSTRAINT ck_judgment_seconds_possible CHECK (seconds >= 0)
);
CREATE TABLE paid_assignment (
    assignment_id INTEGER NOT NULL, completion_id INTEGER NOT NULL,
    CONSTRAINT pk_paid_assignment PRIMARY KEY (assignment_id),
    CONSTRAINT fk_paid_assignment_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignment (id),
    CONSTRAINT fk_paid_assignment_completion_id FOREIGN KEY(completion_id) REFERENCES completion (id)
);
