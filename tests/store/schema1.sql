-- A store of schema 1 with one run that is done. Never changed.
PRAGMA journal_mode=WAL;
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs(
  id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
  parent TEXT NOT NULL, role TEXT NOT NULL, grp TEXT NOT NULL, leaf INTEGER NOT NULL, ordinal INTEGER NOT NULL, after TEXT NOT NULL,
  created_at REAL NOT NULL, started_at REAL NOT NULL, ended_at REAL NOT NULL, running_seconds REAL NOT NULL,
  attempt INTEGER NOT NULL, pid INTEGER NOT NULL, start_ticks INTEGER NOT NULL, resume INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL, fork_of TEXT NOT NULL, tags TEXT NOT NULL,
  summary TEXT NOT NULL, latest TEXT NOT NULL, progress TEXT NOT NULL, result TEXT NOT NULL, error TEXT NOT NULL, end_record TEXT NOT NULL,
  spec TEXT NOT NULL);
CREATE INDEX runs_by_creation ON runs(created_at, id);
CREATE INDEX runs_by_status ON runs(status) WHERE status IN ('queued','starting','running','stopping');
CREATE INDEX runs_by_parent ON runs(parent, ordinal);
CREATE UNIQUE INDEX runs_by_key ON runs(idempotency_key) WHERE idempotency_key <> '';
CREATE TABLE events(seq INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, type TEXT NOT NULL, json TEXT NOT NULL);
CREATE TABLE series(id INTEGER PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, UNIQUE(run, name));
CREATE TABLE blocks(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, sealed INTEGER NOT NULL, n INTEGER NOT NULL,
  step_min INTEGER NOT NULL, step_max INTEGER NOT NULL, non_finite INTEGER NOT NULL);
CREATE INDEX blocks_by_series ON blocks(series, id);
CREATE TABLE block_data(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE tails(run TEXT NOT NULL, rank INTEGER NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL,
  offset INTEGER NOT NULL, lines INTEGER NOT NULL, bad_lines INTEGER NOT NULL, PRIMARY KEY(run, rank)) WITHOUT ROWID;
CREATE TABLE checkpoints(run TEXT NOT NULL, step INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY(run, step)) WITHOUT ROWID;
CREATE TABLE artifacts(id INTEGER PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL, UNIQUE(run, name));
CREATE TABLE setups(id INTEGER PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL, UNIQUE(run, name));
INSERT INTO meta VALUES('store_epoch','0123456789abcdef0123456789abcdef');
INSERT INTO runs VALUES('0000000000001','old','train','done','','','','',1,0,'[]',1000.0,1001.0,1010.0,9.0,1,0,0,0,'key','','["demo"]',
  '{"eval/loss":2.5}','{"train/loss":3.0}','null','null','null','null','{"train":{"optimizer":{"lr":0.001}}}');
INSERT INTO events(seq,run,type,json) VALUES(3,'0000000000001','run','{"run":"0000000000001","type":"run"}');
PRAGMA user_version=1;
