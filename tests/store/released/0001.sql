BEGIN TRANSACTION;
CREATE TABLE bot (
	id INTEGER NOT NULL,
	digest VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	version VARCHAR NOT NULL,
	author VARCHAR NOT NULL,
	language VARCHAR NOT NULL,
	games JSON NOT NULL,
	manifest VARCHAR NOT NULL,
	added DATETIME NOT NULL,
	CONSTRAINT pk_bot PRIMARY KEY (id),
	CONSTRAINT uq_bot_digest UNIQUE (digest)
);
INSERT INTO "bot" VALUES(1,'0000000000000000000000000000000000000000000000000000000000000001','bot-1','1.0','Ada','python','["euchre", "whist"]','name = 1
','2026-05-04 12:30:15.123456');
INSERT INTO "bot" VALUES(2,'0000000000000000000000000000000000000000000000000000000000000002','bot-2','1.0','Ada','python','["euchre", "whist"]','name = 1
','2026-05-04 12:30:15.123456');
CREATE TABLE duel (
	id INTEGER NOT NULL,
	league INTEGER NOT NULL,
	first INTEGER NOT NULL,
	second INTEGER NOT NULL,
	number INTEGER NOT NULL,
	wins INTEGER NOT NULL,
	margin FLOAT NOT NULL,
	hands INTEGER NOT NULL,
	first_faults INTEGER NOT NULL,
	second_faults INTEGER NOT NULL,
	held INTEGER NOT NULL,
	finished DATETIME NOT NULL,
	play BLOB NOT NULL,
	CONSTRAINT pk_duel PRIMARY KEY (id),
	CONSTRAINT fk_duel_held FOREIGN KEY(held) REFERENCES held (id),
	CONSTRAINT fk_duel_league_first FOREIGN KEY(league, first) REFERENCES entry (league, number),
	CONSTRAINT fk_duel_league_second FOREIGN KEY(league, second) REFERENCES entry (league, number),
	CONSTRAINT uq_duel_league_first_second_number UNIQUE (league, first, second, number)
);
INSERT INTO "duel" VALUES(1,1,1,2,0,1,1.5,17,0,1,1,'2026-05-04 12:30:15.123456',X'706C6179');
INSERT INTO "duel" VALUES(2,1,1,2,1,1,1.5,17,0,0,2,'2026-05-04 12:30:15.123456',X'706C6179');
CREATE TABLE entry (
	league INTEGER NOT NULL,
	number INTEGER NOT NULL,
	bot INTEGER NOT NULL,
	epoch INTEGER NOT NULL,
	withdrawn DATETIME,
	CONSTRAINT pk_entry PRIMARY KEY (league, number),
	CONSTRAINT fk_entry_bot FOREIGN KEY(bot) REFERENCES bot (id),
	CONSTRAINT fk_entry_league FOREIGN KEY(league) REFERENCES league (id),
	CONSTRAINT uq_entry_league_bot UNIQUE (league, bot)
);
INSERT INTO "entry" VALUES(1,1,1,1,NULL);
INSERT INTO "entry" VALUES(1,2,2,1,NULL);
INSERT INTO "entry" VALUES(2,1,1,1,NULL);
INSERT INTO "entry" VALUES(2,2,2,1,NULL);
CREATE TABLE epoch (
	league INTEGER NOT NULL,
	number INTEGER NOT NULL,
	seed BLOB NOT NULL,
	given BOOLEAN NOT NULL,
	opened DATETIME NOT NULL,
	out BOOLEAN NOT NULL,
	CONSTRAINT pk_epoch PRIMARY KEY (league, number),
	CONSTRAINT fk_epoch_league FOREIGN KEY(league) REFERENCES league (id)
);
INSERT INTO "epoch" VALUES(1,1,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1,'2026-05-04 12:30:15.123456',1);
INSERT INTO "epoch" VALUES(2,1,X'0000000000000000000000000000000000000000000000000000000000000000',0,'2026-05-04 12:30:15.123456',0);
CREATE TABLE fault (
	id INTEGER NOT NULL,
	duel INTEGER NOT NULL,
	kind VARCHAR NOT NULL,
	entrant INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	room INTEGER NOT NULL,
	hand INTEGER NOT NULL,
	explanation VARCHAR NOT NULL,
	forfeits BOOLEAN NOT NULL,
	bundle BLOB,
	CONSTRAINT pk_fault PRIMARY KEY (id),
	CONSTRAINT fk_fault_duel FOREIGN KEY(duel) REFERENCES duel (id)
);
INSERT INTO "fault" VALUES(1,1,'crashed',2,3,1,4,'it ended by signal 11',1,X'65766964656E6365');
CREATE TABLE held (
	id INTEGER NOT NULL,
	digest VARCHAR NOT NULL,
	sandboxed BOOLEAN NOT NULL,
	strict BOOLEAN NOT NULL,
	guarantees JSON NOT NULL,
	CONSTRAINT pk_held PRIMARY KEY (id),
	CONSTRAINT uq_held_digest UNIQUE (digest)
);
INSERT INTO "held" VALUES(1,'c9659638aa07cf9a1068fed1050b7bd3614361f4ea2174e58378f64ecd7b946e',1,0,'[{"name": "network", "level": "enforced", "reason": "", "remedy": "none"}]');
INSERT INTO "held" VALUES(2,'62505e2358e09a88584551fa142d4efc6a65d369dafa0797ab5cb6ab538fb8ed',0,0,'[]');
CREATE TABLE hold (
	league INTEGER NOT NULL,
	token VARCHAR NOT NULL,
	host VARCHAR NOT NULL,
	machine VARCHAR NOT NULL,
	pid INTEGER NOT NULL,
	started BIGINT NOT NULL,
	since DATETIME NOT NULL,
	beat FLOAT NOT NULL,
	CONSTRAINT pk_hold PRIMARY KEY (league),
	CONSTRAINT fk_hold_league FOREIGN KEY(league) REFERENCES league (id)
);
INSERT INTO "hold" VALUES(2,'released','elsewhere','another',4711,1,'2026-05-04 12:30:15.123456',1.5);
CREATE TABLE league (
	id INTEGER NOT NULL,
	name VARCHAR NOT NULL,
	game VARCHAR NOT NULL,
	rules JSON NOT NULL,
	limits JSON NOT NULL,
	policy JSON NOT NULL,
	tables INTEGER NOT NULL,
	at_least INTEGER NOT NULL,
	beat FLOAT NOT NULL,
	duels INTEGER NOT NULL,
	block INTEGER NOT NULL,
	until JSON,
	created DATETIME NOT NULL,
	state VARCHAR NOT NULL,
	CONSTRAINT pk_league PRIMARY KEY (id),
	CONSTRAINT uq_league_name UNIQUE (name)
);
INSERT INTO "league" VALUES(1,'cup','euchre','{"alone": false, "stick_dealer": true, "partner_must_go_alone": false, "target": 10}','{"decision": 0.5, "ready": 3.0, "bank": 20.0, "increment": 0.25}','{"forfeit_at": 3}',32,1,0.05,100,16,'{"confidence": 0.95, "by": "points"}','2026-05-04 12:30:15.123456','complete');
INSERT INTO "league" VALUES(2,'shield','euchre','{"alone": false, "stick_dealer": true, "partner_must_go_alone": false, "target": 10}','{"decision": 0.5, "ready": 3.0, "bank": 20.0, "increment": 0.25}','{"forfeit_at": 3}',32,1,0.05,100,16,'{"confidence": 0.95, "by": "points"}','2026-05-04 12:30:15.123456','open');
CREATE TABLE side (
	duel INTEGER NOT NULL,
	entrant INTEGER NOT NULL,
	tallies JSON NOT NULL,
	seconds FLOAT,
	room INTEGER,
	hand INTEGER,
	seat INTEGER,
	decision VARCHAR,
	CONSTRAINT pk_side PRIMARY KEY (duel, entrant),
	CONSTRAINT fk_side_duel FOREIGN KEY(duel) REFERENCES duel (id)
);
INSERT INTO "side" VALUES(1,1,'{"hands": 9, "euchred": 2}',0.25,1,3,2,'trick 3');
INSERT INTO "side" VALUES(1,2,'{}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "side" VALUES(2,1,'{"hands": 9, "euchred": 2}',0.25,1,3,2,'trick 3');
INSERT INTO "side" VALUES(2,2,'{}',NULL,NULL,NULL,NULL,NULL);
CREATE TABLE snapshot (
	id INTEGER NOT NULL,
	league INTEGER NOT NULL,
	at DATETIME NOT NULL,
	duels INTEGER NOT NULL,
	ratings JSON NOT NULL,
	CONSTRAINT pk_snapshot PRIMARY KEY (id),
	CONSTRAINT fk_snapshot_league FOREIGN KEY(league) REFERENCES league (id)
);
INSERT INTO "snapshot" VALUES(1,1,'2026-05-04 12:30:15.123456',2,'{"1": [25.0, 8.0], "2": [24.0, 8.0]}');
CREATE TABLE upcard_schema (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT upcard_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "upcard_schema" VALUES('0001');
CREATE TABLE void (
	id INTEGER NOT NULL,
	league INTEGER NOT NULL,
	first INTEGER NOT NULL,
	second INTEGER NOT NULL,
	number INTEGER NOT NULL,
	reason VARCHAR NOT NULL,
	at DATETIME NOT NULL,
	CONSTRAINT pk_void PRIMARY KEY (id),
	CONSTRAINT fk_void_league_first FOREIGN KEY(league, first) REFERENCES entry (league, number),
	CONSTRAINT fk_void_league_second FOREIGN KEY(league, second) REFERENCES entry (league, number)
);
INSERT INTO "void" VALUES(1,1,1,2,2,'late','2026-05-04 12:30:15.123456');
CREATE INDEX ix_bot_name ON bot (name);
CREATE INDEX ix_snapshot_league ON snapshot (league);
CREATE INDEX ix_void_league ON void (league);
CREATE INDEX ix_fault_duel ON fault (duel);
COMMIT;
