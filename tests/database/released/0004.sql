BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE "change" (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	position INTEGER NOT NULL, 
	"before" JSON, 
	"after" JSON, 
	undoes INTEGER, 
	token VARCHAR(64) NOT NULL, 
	"by" TEXT, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_change PRIMARY KEY (id), 
	CONSTRAINT uq_change_game_id_seq UNIQUE (game_id, seq), 
	CONSTRAINT fk_change_game_id_game FOREIGN KEY(game_id) REFERENCES game (id) ON DELETE CASCADE, 
	CONSTRAINT uq_change_game_id_token UNIQUE (game_id, token), 
	CONSTRAINT ck_change_kind CHECK (kind IN ('record', 'correct', 'remove', 'substitute', 'undo', 'redo'))
);
INSERT INTO "change" VALUES(1,1,1,'record',1,NULL,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 1 v0',NULL,'2026-11-22 11:10:14.703264');
INSERT INTO "change" VALUES(2,1,2,'record',2,NULL,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "B", "jack": "B", "game": "B"}}',NULL,'hand 2 v1',NULL,'2026-11-22 11:10:14.783231');
INSERT INTO "change" VALUES(3,1,3,'record',3,NULL,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "B"}}',NULL,'hand 3 v2',NULL,'2026-11-22 11:10:14.829741');
INSERT INTO "change" VALUES(4,1,4,'record',4,NULL,'{"dealer": 3, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 4 v3',NULL,'2026-11-22 11:10:14.869437');
INSERT INTO "change" VALUES(5,1,5,'record',5,NULL,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 5 v4',NULL,'2026-11-22 11:10:14.910686');
INSERT INTO "change" VALUES(6,1,6,'correct',2,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "B", "jack": "B", "game": "B"}}','{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "B", "game": "B"}}',NULL,'c','Ann','2026-11-22 11:10:15.143744');
INSERT INTO "change" VALUES(7,1,7,'undo',2,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "B", "game": "B"}}','{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "B", "jack": "B", "game": "B"}}',6,'u',NULL,'2026-11-22 11:10:15.260318');
INSERT INTO "change" VALUES(8,1,8,'redo',2,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "B", "jack": "B", "game": "B"}}','{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "B", "game": "B"}}',7,'r','Bo','2026-11-22 11:10:15.342427');
INSERT INTO "change" VALUES(9,2,1,'record',1,NULL,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 1 v0',NULL,'2026-11-22 11:10:15.491765');
INSERT INTO "change" VALUES(10,2,2,'substitute',2,NULL,'{"names": {"2": "Gil"}}',NULL,'YtbSOyXMbzVOqZgFEY8lPvqtGlVJ6YYquHm1Zs4pXqc',NULL,'2026-11-22 11:10:15.554250');
INSERT INTO "change" VALUES(11,2,3,'record',2,'{"names": {"2": "Gil"}}','{"dealer": 1, "names": {"2": "Gil"}, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 2 v2',NULL,'2026-11-22 11:10:15.594128');
INSERT INTO "change" VALUES(12,2,4,'record',3,NULL,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 3 v3',NULL,'2026-11-22 11:10:15.671289');
INSERT INTO "change" VALUES(13,2,5,'record',4,NULL,'{"dealer": 3, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "B", "jack": "B", "game": "B"}}',NULL,'hand 4 v4',NULL,'2026-11-22 11:10:15.884999');
INSERT INTO "change" VALUES(14,3,1,'record',1,NULL,'{"dealer": 5, "bidder": 1, "bid": 3, "trump": "H", "called": "AS", "partner": 3, "claims": {"high": "1", "low": "2", "right_jack": "3", "left_jack": null, "right_joker": "1", "left_joker": "2", "game": "1"}}',NULL,'hand 1 v0',NULL,'2026-11-22 11:10:16.132469');
INSERT INTO "change" VALUES(15,3,2,'substitute',2,NULL,'{"names": {"2": "Hal"}}',NULL,'md1mWHJpj1hM3QyozdMf8g0sh4absZQvK5rN_8il2SA',NULL,'2026-11-22 11:10:16.177377');
INSERT INTO "change" VALUES(16,4,1,'record',1,NULL,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 1 v0',NULL,'2026-11-22 11:10:16.285019');
INSERT INTO "change" VALUES(17,4,2,'record',2,NULL,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 2 v1',NULL,'2026-11-22 11:10:16.335068');
INSERT INTO "change" VALUES(18,4,3,'record',3,NULL,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 3 v2',NULL,'2026-11-22 11:10:16.398356');
INSERT INTO "change" VALUES(19,4,4,'remove',1,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,NULL,'x',NULL,'2026-11-22 11:10:16.570834');
INSERT INTO "change" VALUES(20,4,5,'undo',1,NULL,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',4,'u',NULL,'2026-11-22 11:10:16.704957');
INSERT INTO "change" VALUES(21,5,1,'record',1,NULL,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 1 v0',NULL,'2026-11-22 11:10:16.854435');
INSERT INTO "change" VALUES(22,5,2,'record',2,NULL,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 2 v1',NULL,'2026-11-22 11:10:16.896202');
INSERT INTO "change" VALUES(23,5,3,'record',3,NULL,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 3 v2',NULL,'2026-11-22 11:10:16.957478');
INSERT INTO "change" VALUES(24,5,4,'remove',1,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,NULL,'x',NULL,'2026-11-22 11:10:17.099016');
INSERT INTO "change" VALUES(25,5,5,'undo',1,NULL,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',4,'u',NULL,'2026-11-22 11:10:17.208871');
INSERT INTO "change" VALUES(26,6,1,'record',1,NULL,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 1 v0',NULL,'2026-11-22 11:10:17.429936');
INSERT INTO "change" VALUES(27,6,2,'record',2,NULL,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 2 v1',NULL,'2026-11-22 11:10:17.490307');
INSERT INTO "change" VALUES(28,6,3,'record',3,NULL,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',NULL,'hand 3 v2',NULL,'2026-11-22 11:10:17.531193');
CREATE TABLE club (
	id INTEGER NOT NULL, 
	"key" VARCHAR(22) NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	created_at DATETIME NOT NULL, books INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_club PRIMARY KEY (id), 
	CONSTRAINT uq_club_key UNIQUE ("key")
);
INSERT INTO "club" VALUES(1,'W6ZnP9T9fGrlGJsguh8UAQ','The »Tuesday« club, ♠','2026-11-22 11:10:14.472467',17);
CREATE TABLE division (
	id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	season_id INTEGER, 
	rules_id VARCHAR(80) NOT NULL, 
	players INTEGER NOT NULL, 
	teams INTEGER NOT NULL, 
	CONSTRAINT pk_division PRIMARY KEY (id), 
	CONSTRAINT fk_division_club_id_club FOREIGN KEY(club_id) REFERENCES club (id) ON DELETE CASCADE, 
	CONSTRAINT fk_division_season_id_season FOREIGN KEY(season_id) REFERENCES season (id) ON DELETE CASCADE
);
INSERT INTO "division" VALUES(1,1,1,'classic',4,2);
INSERT INTO "division" VALUES(2,1,2,'classic',4,2);
INSERT INTO "division" VALUES(3,1,NULL,'classic',4,2);
CREATE TABLE "game" (
	id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	rules JSON NOT NULL, 
	options JSON NOT NULL, 
	players INTEGER NOT NULL, 
	teams INTEGER NOT NULL, 
	start JSON, 
	played DATE NOT NULL, 
	first_dealer INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	previous_id INTEGER, 
	created_at DATETIME NOT NULL, 
	state VARCHAR(10) DEFAULT 'open' NOT NULL, 
	plays_on BOOLEAN DEFAULT 0 NOT NULL, 
	detail VARCHAR(10) DEFAULT 'points' NOT NULL, 
	auction BOOLEAN DEFAULT 0 NOT NULL, 
	uid VARCHAR(64) NOT NULL, 
	paper JSON, 
	season_id INTEGER, next_seats JSON DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_game PRIMARY KEY (id), 
	CONSTRAINT uq_game_club_id_number UNIQUE (club_id, number), 
	CONSTRAINT fk_game_previous_id_game FOREIGN KEY(previous_id) REFERENCES game (id) ON DELETE SET NULL, 
	CONSTRAINT fk_game_club_id_club FOREIGN KEY(club_id) REFERENCES club (id) ON DELETE CASCADE, 
	CONSTRAINT fk_game_season_id_season FOREIGN KEY(season_id) REFERENCES season (id) ON DELETE SET NULL, 
	CONSTRAINT uq_game_club_id_uid UNIQUE (club_id, uid)
);
INSERT INTO "game" VALUES(1,1,1,'{"id": "classic", "name": "Classic Setback", "summary": "Two pairs with the full deck: four points a hand, the dealer may steal a four, the first to 11 and a tie plays on.", "source": "004", "table": {"players": [4], "sides": "teams", "teams": [2], "partner_right": 2}, "deck": {"ranks": "AKQJT98765432", "jokers": 0, "hand": 6, "undealt": "stock", "draw": "none"}, "trump": {"by": "lead", "order": "A K Q J T 9 8 7 6 5 4 3 2"}, "auction": {"rounds": "single", "min": 2, "max": 4, "specials": [], "dealer": "match-max", "all_pass": "next-dealer", "forced_bid": null}, "points": [{"key": "high", "card": "highest", "owner": "taker", "worth": 1}, {"key": "low", "card": "lowest", "owner": "taker", "worth": 1}, {"key": "jack", "card": "J", "owner": "taker", "worth": 1}, {"key": "game", "card": "game", "owner": "taker", "worth": 1}], "game": {"values": {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}, "award": "most", "at_least": 41}, "settle": {"made": "taken", "set": "bid"}, "win": {"target": 11, "eligible": "anyone", "both": ["highest", "play-on"], "early": null}}','{}',4,2,NULL,'2026-01-06',4,8,NULL,'2026-11-22 11:10:14.599232','open',0,'points',0,'AOoICtZmNQi0DvpdEY4UHA',NULL,1,'{}');
INSERT INTO "game" VALUES(2,1,2,'{"id": "classic", "name": "Classic Setback", "summary": "Two pairs with the full deck: four points a hand, the dealer may steal a four, the first to 11 and a tie plays on.", "source": "004", "table": {"players": [4], "sides": "teams", "teams": [2], "partner_right": 2}, "deck": {"ranks": "AKQJT98765432", "jokers": 0, "hand": 6, "undealt": "stock", "draw": "none"}, "trump": {"by": "lead", "order": "A K Q J T 9 8 7 6 5 4 3 2"}, "auction": {"rounds": "single", "min": 2, "max": 4, "specials": [], "dealer": "match-max", "all_pass": "next-dealer", "forced_bid": null}, "points": [{"key": "high", "card": "highest", "owner": "taker", "worth": 1}, {"key": "low", "card": "lowest", "owner": "taker", "worth": 1}, {"key": "jack", "card": "J", "owner": "taker", "worth": 1}, {"key": "game", "card": "game", "owner": "taker", "worth": 1}], "game": {"values": {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}, "award": "most", "at_least": 41}, "settle": {"made": "taken", "set": "bid"}, "win": {"target": 11, "eligible": "anyone", "both": ["highest", "play-on"], "early": null}}','{}',4,2,NULL,'2026-01-13',4,5,1,'2026-11-22 11:10:15.457185','open',1,'points',0,'lzPXWXFjdLG8JxR1PFTAxA',NULL,1,'{}');
INSERT INTO "game" VALUES(3,1,3,'{"id": "west-michigan-5", "name": "West Michigan Setback, five players", "summary": "Call your partner: the bidder names a card, its holder helps for one hand, and everyone keeps a score of their own.", "source": "000 section 15.2", "table": {"players": [5], "sides": "called-partner", "teams": [], "partner_right": 2}, "deck": {"ranks": "AKQJT982", "jokers": 2, "hand": 6, "undealt": "buried", "draw": "none"}, "trump": {"by": "lead", "order": "A K Q J L XR XB T 9 8 2"}, "auction": {"rounds": "single", "min": 0, "max": 7, "specials": [], "dealer": "outbid", "all_pass": "redeal", "forced_bid": null}, "points": [{"key": "high", "card": "A", "owner": "taker", "worth": 1}, {"key": "low", "card": "lowest", "owner": "keeper", "worth": 1}, {"key": "right_jack", "card": "J", "owner": "taker", "worth": 1}, {"key": "left_jack", "card": "L", "owner": "taker", "worth": 1}, {"key": "right_joker", "card": "XR", "owner": "taker", "worth": 1}, {"key": "left_joker", "card": "XB", "owner": "taker", "worth": 1}, {"key": "game", "card": "game", "owner": "taker", "worth": 1}], "game": {"values": {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}, "award": "most", "at_least": 41}, "settle": {"made": "taken", "set": "bid"}, "win": {"target": 30, "eligible": "anyone", "both": ["bidder", "highest", "share"], "early": null}}','{"win.target": 30}',5,0,'{"1": -2, "2": -1, "3": 0, "4": 1, "5": 2}','2026-07-07',5,2,NULL,'2026-11-22 11:10:16.083051','paused',0,'points',0,'VW9r14A33i3x39IEoLhNpg',NULL,2,'{"2": "Hal"}');
INSERT INTO "game" VALUES(4,1,4,'{"id": "classic", "name": "Classic Setback", "summary": "Two pairs with the full deck: four points a hand, the dealer may steal a four, the first to 11 and a tie plays on.", "source": "004", "table": {"players": [4], "sides": "teams", "teams": [2], "partner_right": 2}, "deck": {"ranks": "AKQJT98765432", "jokers": 0, "hand": 6, "undealt": "stock", "draw": "none"}, "trump": {"by": "lead", "order": "A K Q J T 9 8 7 6 5 4 3 2"}, "auction": {"rounds": "single", "min": 2, "max": 4, "specials": [], "dealer": "match-max", "all_pass": "next-dealer", "forced_bid": null}, "points": [{"key": "high", "card": "highest", "owner": "taker", "worth": 1}, {"key": "low", "card": "lowest", "owner": "taker", "worth": 1}, {"key": "jack", "card": "J", "owner": "taker", "worth": 1}, {"key": "game", "card": "game", "owner": "taker", "worth": 1}], "game": {"values": {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}, "award": "most", "at_least": 41}, "settle": {"made": "taken", "set": "bid"}, "win": {"target": 11, "eligible": "anyone", "both": ["highest", "play-on"], "early": null}}','{}',4,2,NULL,'2026-08-05',4,5,NULL,'2026-11-22 11:10:16.243693','open',0,'points',0,'sAmJeWFMUM0Nsff1s5jC9A',NULL,2,'{}');
INSERT INTO "game" VALUES(5,1,5,'{"id": "classic", "name": "Classic Setback", "summary": "Two pairs with the full deck: four points a hand, the dealer may steal a four, the first to 11 and a tie plays on.", "source": "004", "table": {"players": [4], "sides": "teams", "teams": [2], "partner_right": 2}, "deck": {"ranks": "AKQJT98765432", "jokers": 0, "hand": 6, "undealt": "stock", "draw": "none"}, "trump": {"by": "lead", "order": "A K Q J T 9 8 7 6 5 4 3 2"}, "auction": {"rounds": "single", "min": 2, "max": 4, "specials": [], "dealer": "match-max", "all_pass": "next-dealer", "forced_bid": null}, "points": [{"key": "high", "card": "highest", "owner": "taker", "worth": 1}, {"key": "low", "card": "lowest", "owner": "taker", "worth": 1}, {"key": "jack", "card": "J", "owner": "taker", "worth": 1}, {"key": "game", "card": "game", "owner": "taker", "worth": 1}], "game": {"values": {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}, "award": "most", "at_least": 41}, "settle": {"made": "taken", "set": "bid"}, "win": {"target": 11, "eligible": "anyone", "both": ["highest", "play-on"], "early": null}}','{}',4,2,NULL,'2026-08-06',4,5,NULL,'2026-11-22 11:10:16.823149','abandoned',0,'points',0,'rwtJzyn-oyhNc82yLFANrg',NULL,2,'{}');
INSERT INTO "game" VALUES(6,1,6,'{"id": "classic", "name": "Classic Setback", "summary": "Two pairs with the full deck: four points a hand, the dealer may steal a four, the first to 11 and a tie plays on.", "source": "004", "table": {"players": [4], "sides": "teams", "teams": [2], "partner_right": 2}, "deck": {"ranks": "AKQJT98765432", "jokers": 0, "hand": 6, "undealt": "stock", "draw": "none"}, "trump": {"by": "lead", "order": "A K Q J T 9 8 7 6 5 4 3 2"}, "auction": {"rounds": "single", "min": 2, "max": 4, "specials": [], "dealer": "match-max", "all_pass": "next-dealer", "forced_bid": null}, "points": [{"key": "high", "card": "highest", "owner": "taker", "worth": 1}, {"key": "low", "card": "lowest", "owner": "taker", "worth": 1}, {"key": "jack", "card": "J", "owner": "taker", "worth": 1}, {"key": "game", "card": "game", "owner": "taker", "worth": 1}], "game": {"values": {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}, "award": "most", "at_least": 41}, "settle": {"made": "taken", "set": "bid"}, "win": {"target": 11, "eligible": "anyone", "both": ["highest", "play-on"], "early": null}}','{}',4,2,NULL,'2025-12-30',4,3,NULL,'2026-11-22 11:10:17.413701','open',0,'points',0,'6Nwb7NOp79eBetNI_XMJuA',NULL,NULL,'{}');
CREATE TABLE hand (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	facts JSON NOT NULL, 
	version INTEGER NOT NULL, 
	CONSTRAINT pk_hand PRIMARY KEY (id), 
	CONSTRAINT fk_hand_game_id_game FOREIGN KEY(game_id) REFERENCES game (id) ON DELETE CASCADE, 
	CONSTRAINT uq_hand_game_id_position UNIQUE (game_id, position)
);
INSERT INTO "hand" VALUES(1,1,1,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',1);
INSERT INTO "hand" VALUES(2,1,2,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "B", "game": "B"}}',8);
INSERT INTO "hand" VALUES(3,1,3,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "B"}}',3);
INSERT INTO "hand" VALUES(4,1,4,'{"dealer": 3, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',4);
INSERT INTO "hand" VALUES(5,1,5,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',5);
INSERT INTO "hand" VALUES(6,2,1,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',1);
INSERT INTO "hand" VALUES(7,2,2,'{"dealer": 1, "names": {"2": "Gil"}, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',3);
INSERT INTO "hand" VALUES(8,2,3,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',4);
INSERT INTO "hand" VALUES(9,2,4,'{"dealer": 3, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "B", "jack": "B", "game": "B"}}',5);
INSERT INTO "hand" VALUES(10,3,1,'{"dealer": 5, "bidder": 1, "bid": 3, "trump": "H", "called": "AS", "partner": 3, "claims": {"high": "1", "low": "2", "right_jack": "3", "left_jack": null, "right_joker": "1", "left_joker": "2", "game": "1"}}',1);
INSERT INTO "hand" VALUES(12,4,2,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',2);
INSERT INTO "hand" VALUES(13,4,3,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',3);
INSERT INTO "hand" VALUES(14,4,1,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',5);
INSERT INTO "hand" VALUES(16,5,2,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',2);
INSERT INTO "hand" VALUES(17,5,3,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',3);
INSERT INTO "hand" VALUES(18,5,1,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',5);
INSERT INTO "hand" VALUES(19,6,1,'{"dealer": 4, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',1);
INSERT INTO "hand" VALUES(20,6,2,'{"dealer": 1, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',2);
INSERT INTO "hand" VALUES(21,6,3,'{"dealer": 2, "bidder": 1, "bid": 2, "trump": "H", "claims": {"high": "A", "low": "A", "jack": "A", "game": "A"}}',3);
CREATE TABLE "player" (
	id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	uid VARCHAR(64) NOT NULL, 
	guest BOOLEAN DEFAULT 0 NOT NULL, 
	retired BOOLEAN DEFAULT 0 NOT NULL, 
	mu DOUBLE, 
	sigma DOUBLE, 
	rated INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_player PRIMARY KEY (id), 
	CONSTRAINT uq_player_club_id_name UNIQUE (club_id, name), 
	CONSTRAINT fk_player_club_id_club FOREIGN KEY(club_id) REFERENCES club (id) ON DELETE CASCADE, 
	CONSTRAINT uq_player_club_id_uid UNIQUE (club_id, uid)
);
INSERT INTO "player" VALUES(1,1,'Ann','sl3Bic1g-MNWWPaes27G1w',0,0,3.09456123527856945547e+01,7.78284098208053,4);
INSERT INTO "player" VALUES(2,1,'Bo','NL98K_P4VkVZtOtBzD7GJQ',0,0,2.03394543389922830564e+01,7.90390899095397081453e+00,3);
INSERT INTO "player" VALUES(3,1,'Cy','o2PBhD6KqrtP9mZxLhL-lg',0,0,3.09456123527856945547e+01,7.78284098208053,4);
INSERT INTO "player" VALUES(4,1,'Di','rgwKZZtC6yo6_HW7fie2og',0,1,2.02154367104360908067e+01,7.89979573489024122778e+00,3);
INSERT INTO "player" VALUES(5,1,'Gil','Zm_0bcn1nPlENRHnOv-CGw',0,0,2.35754234881658426554e+01,8.18334585391785296337e+00,1);
INSERT INTO "player" VALUES(6,1,'Éva ''Ö'' "Q", \','j60aGcb05kc85l6j_0QMlg',0,0,NULL,NULL,0);
INSERT INTO "player" VALUES(7,1,'Flo','qwliM_l5VNxBTrdyr8mZAw',1,0,NULL,NULL,0);
INSERT INTO "player" VALUES(8,1,'Eve','H408H_ihnTMWaUT4Itw1VA',0,0,NULL,NULL,0);
CREATE TABLE result (
	game_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	division_id INTEGER NOT NULL, 
	played DATE NOT NULL, 
	number INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	unit VARCHAR(2) NOT NULL, 
	place INTEGER NOT NULL, 
	mu_before DOUBLE, 
	sigma_before DOUBLE, 
	mu DOUBLE, 
	sigma DOUBLE, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	shared INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	points_for INTEGER NOT NULL, 
	points_against INTEGER NOT NULL, 
	hands INTEGER NOT NULL, 
	bids INTEGER NOT NULL, 
	made INTEGER NOT NULL, 
	sets INTEGER NOT NULL, 
	inflicted INTEGER NOT NULL, 
	detail JSON NOT NULL, 
	CONSTRAINT pk_result PRIMARY KEY (game_id, player_id), 
	CONSTRAINT fk_result_game_id_game FOREIGN KEY(game_id) REFERENCES game (id) ON DELETE CASCADE, 
	CONSTRAINT fk_result_player_id_player FOREIGN KEY(player_id) REFERENCES player (id) ON DELETE CASCADE, 
	CONSTRAINT fk_result_club_id_club FOREIGN KEY(club_id) REFERENCES club (id) ON DELETE CASCADE, 
	CONSTRAINT fk_result_division_id_division FOREIGN KEY(division_id) REFERENCES division (id) ON DELETE CASCADE
);
INSERT INTO "result" VALUES(1,1,1,1,'2026-01-06',1,1,'A',1,2.69642946218030630243e+01,8.17796260438999134123e+00,2.84604630221766328199e+01,8.03405227202279803577e+00,1,1,0,0,13,3,4,4,4,0,0,'{"bid:2:made": 4, "bid:2:taken": 4, "bid:2:worth": 13, "change:bidder": 13, "hands:bidder": 4, "out:2:2,2": 1, "out:2:3,1": 1, "out:2:4,0": 2, "point:game:got": 2, "point:game:seen": 4, "point:high:got": 4, "point:high:seen": 4, "point:jack:got": 3, "point:jack:seen": 4, "point:low:got": 4, "point:low:seen": 4, "took:bidder": 13, "trump:H:made": 4, "trump:H:taken": 4, "trump:H:worth": 13, "vs:2:games": 1, "vs:2:hands": 4, "vs:2:swing": 10, "vs:2:won": 1, "vs:4:games": 1, "vs:4:hands": 4, "vs:4:swing": 10, "vs:4:won": 1, "with:3:games": 1, "with:3:hands": 4, "with:3:swing": 10, "with:3:won": 1}');
INSERT INTO "result" VALUES(1,2,1,1,'2026-01-06',1,2,'B',2,2.30357053781969369756e+01,8.17796260438999134123e+00,2.153953697782336718e+01,8.03405227202279803577e+00,1,0,0,1,3,13,4,0,0,0,0,'{"change:defender": 3, "hands:defender": 4, "point:game:got": 2, "point:game:seen": 4, "point:high:seen": 4, "point:jack:got": 1, "point:jack:seen": 4, "point:low:seen": 4, "took:defender": 3, "vs:1:games": 1, "vs:1:hands": 4, "vs:1:lost": 1, "vs:1:swing": -10, "vs:3:games": 1, "vs:3:hands": 4, "vs:3:lost": 1, "vs:3:swing": -10, "with:4:games": 1, "with:4:hands": 4, "with:4:lost": 1, "with:4:swing": -10}');
INSERT INTO "result" VALUES(1,3,1,1,'2026-01-06',1,3,'A',1,2.69642946218030630243e+01,8.17796260438999134123e+00,2.84604630221766328199e+01,8.03405227202279803577e+00,1,1,0,0,13,3,4,0,0,0,0,'{"change:partner": 13, "hands:partner": 4, "point:game:got": 2, "point:game:seen": 4, "point:high:got": 4, "point:high:seen": 4, "point:jack:got": 3, "point:jack:seen": 4, "point:low:got": 4, "point:low:seen": 4, "took:partner": 13, "vs:2:games": 1, "vs:2:hands": 4, "vs:2:swing": 10, "vs:2:won": 1, "vs:4:games": 1, "vs:4:hands": 4, "vs:4:swing": 10, "vs:4:won": 1, "with:1:games": 1, "with:1:hands": 4, "with:1:swing": 10, "with:1:won": 1}');
INSERT INTO "result" VALUES(1,4,1,1,'2026-01-06',1,4,'B',2,2.30357053781969369756e+01,8.17796260438999134123e+00,2.153953697782336718e+01,8.03405227202279803577e+00,1,0,0,1,3,13,4,0,0,0,0,'{"change:defender": 3, "hands:defender": 4, "point:game:got": 2, "point:game:seen": 4, "point:high:seen": 4, "point:jack:got": 1, "point:jack:seen": 4, "point:low:seen": 4, "took:defender": 3, "vs:1:games": 1, "vs:1:hands": 4, "vs:1:lost": 1, "vs:1:swing": -10, "vs:3:games": 1, "vs:3:hands": 4, "vs:3:lost": 1, "vs:3:swing": -10, "with:2:games": 1, "with:2:hands": 4, "with:2:lost": 1, "with:2:swing": -10}');
INSERT INTO "result" VALUES(2,1,1,1,'2026-01-13',2,1,'A',1,2.84604630221766328199e+01,8.03405227202279803577e+00,2.97845632895639091932e+01,7.90230116930860226887e+00,1,1,0,0,12,0,3,3,3,0,0,'{"bid:2:made": 3, "bid:2:taken": 3, "bid:2:worth": 12, "change:bidder": 12, "hands:bidder": 3, "out:2:4,0": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:bidder": 12, "trump:H:made": 3, "trump:H:taken": 3, "trump:H:worth": 12, "vs:2:hands": 1, "vs:2:swing": 4, "vs:4:games": 1, "vs:4:hands": 3, "vs:4:swing": 12, "vs:4:won": 1, "vs:5:games": 1, "vs:5:hands": 2, "vs:5:swing": 8, "vs:5:won": 1, "with:3:games": 1, "with:3:hands": 3, "with:3:swing": 12, "with:3:won": 1}');
INSERT INTO "result" VALUES(2,2,1,1,'2026-01-13',2,0,'',0,NULL,NULL,NULL,NULL,0,0,0,0,0,0,1,0,0,0,0,'{"hands:defender": 1, "point:game:seen": 1, "point:high:seen": 1, "point:jack:seen": 1, "point:low:seen": 1, "vs:1:hands": 1, "vs:1:swing": -4, "vs:3:hands": 1, "vs:3:swing": -4, "with:4:hands": 1, "with:4:swing": -4}');
INSERT INTO "result" VALUES(2,3,1,1,'2026-01-13',2,3,'A',1,2.84604630221766328199e+01,8.03405227202279803577e+00,2.97845632895639091932e+01,7.90230116930860226887e+00,1,1,0,0,12,0,3,0,0,0,0,'{"change:partner": 12, "hands:partner": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:partner": 12, "vs:2:hands": 1, "vs:2:swing": 4, "vs:4:games": 1, "vs:4:hands": 3, "vs:4:swing": 12, "vs:4:won": 1, "vs:5:games": 1, "vs:5:hands": 2, "vs:5:swing": 8, "vs:5:won": 1, "with:1:games": 1, "with:1:hands": 3, "with:1:swing": 12, "with:1:won": 1}');
INSERT INTO "result" VALUES(2,4,1,1,'2026-01-13',2,4,'B',2,2.153953697782336718e+01,8.03405227202279803577e+00,2.02154367104360908067e+01,7.89979573489024122778e+00,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:2:hands": 1, "with:2:swing": -4, "with:5:games": 1, "with:5:hands": 2, "with:5:lost": 1, "with:5:swing": -8}');
INSERT INTO "result" VALUES(2,5,1,1,'2026-01-13',2,2,'B',2,25.0,8.33333333333333392545e+00,2.35754234881658426554e+01,8.18334585391785296337e+00,1,0,0,1,0,12,2,0,0,0,0,'{"hands:defender": 2, "point:game:seen": 2, "point:high:seen": 2, "point:jack:seen": 2, "point:low:seen": 2, "vs:1:games": 1, "vs:1:hands": 2, "vs:1:lost": 1, "vs:1:swing": -8, "vs:3:games": 1, "vs:3:hands": 2, "vs:3:lost": 1, "vs:3:swing": -8, "with:4:games": 1, "with:4:hands": 2, "with:4:lost": 1, "with:4:swing": -8}');
INSERT INTO "result" VALUES(4,1,1,2,'2026-08-05',4,1,'A',1,2.97845632895639091932e+01,7.90230116930860226887e+00,3.09456123527856945547e+01,7.78284098208053,1,1,0,0,12,0,3,3,3,0,0,'{"bid:2:made": 3, "bid:2:taken": 3, "bid:2:worth": 12, "change:bidder": 12, "hands:bidder": 3, "out:2:4,0": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:bidder": 12, "trump:H:made": 3, "trump:H:taken": 3, "trump:H:worth": 12, "vs:2:games": 1, "vs:2:hands": 3, "vs:2:swing": 12, "vs:2:won": 1, "vs:7:games": 1, "vs:7:hands": 3, "vs:7:swing": 12, "vs:7:won": 1, "with:3:games": 1, "with:3:hands": 3, "with:3:swing": 12, "with:3:won": 1}');
INSERT INTO "result" VALUES(4,2,1,2,'2026-08-05',4,2,'B',2,2.153953697782336718e+01,8.03405227202279803577e+00,2.03394543389922830564e+01,7.90390899095397081453e+00,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:7:games": 1, "with:7:hands": 3, "with:7:lost": 1, "with:7:swing": -12}');
INSERT INTO "result" VALUES(4,3,1,2,'2026-08-05',4,3,'A',1,2.97845632895639091932e+01,7.90230116930860226887e+00,3.09456123527856945547e+01,7.78284098208053,1,1,0,0,12,0,3,0,0,0,0,'{"change:partner": 12, "hands:partner": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:partner": 12, "vs:2:games": 1, "vs:2:hands": 3, "vs:2:swing": 12, "vs:2:won": 1, "vs:7:games": 1, "vs:7:hands": 3, "vs:7:swing": 12, "vs:7:won": 1, "with:1:games": 1, "with:1:hands": 3, "with:1:swing": 12, "with:1:won": 1}');
INSERT INTO "result" VALUES(4,7,1,2,'2026-08-05',4,4,'B',2,NULL,NULL,NULL,NULL,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:2:games": 1, "with:2:hands": 3, "with:2:lost": 1, "with:2:swing": -12}');
INSERT INTO "result" VALUES(6,1,1,3,'2025-12-30',6,1,'A',1,25.0,8.33333333333333392545e+00,2.69642946218030630243e+01,8.17796260438999134123e+00,1,1,0,0,12,0,3,3,3,0,0,'{"bid:2:made": 3, "bid:2:taken": 3, "bid:2:worth": 12, "change:bidder": 12, "hands:bidder": 3, "out:2:4,0": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:bidder": 12, "trump:H:made": 3, "trump:H:taken": 3, "trump:H:worth": 12, "vs:2:games": 1, "vs:2:hands": 3, "vs:2:swing": 12, "vs:2:won": 1, "vs:4:games": 1, "vs:4:hands": 3, "vs:4:swing": 12, "vs:4:won": 1, "with:3:games": 1, "with:3:hands": 3, "with:3:swing": 12, "with:3:won": 1}');
INSERT INTO "result" VALUES(6,2,1,3,'2025-12-30',6,2,'B',2,25.0,8.33333333333333392545e+00,2.30357053781969369756e+01,8.17796260438999134123e+00,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:4:games": 1, "with:4:hands": 3, "with:4:lost": 1, "with:4:swing": -12}');
INSERT INTO "result" VALUES(6,3,1,3,'2025-12-30',6,3,'A',1,25.0,8.33333333333333392545e+00,2.69642946218030630243e+01,8.17796260438999134123e+00,1,1,0,0,12,0,3,0,0,0,0,'{"change:partner": 12, "hands:partner": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:partner": 12, "vs:2:games": 1, "vs:2:hands": 3, "vs:2:swing": 12, "vs:2:won": 1, "vs:4:games": 1, "vs:4:hands": 3, "vs:4:swing": 12, "vs:4:won": 1, "with:1:games": 1, "with:1:hands": 3, "with:1:swing": 12, "with:1:won": 1}');
INSERT INTO "result" VALUES(6,4,1,3,'2025-12-30',6,4,'B',2,25.0,8.33333333333333392545e+00,2.30357053781969369756e+01,8.17796260438999134123e+00,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:2:games": 1, "with:2:hands": 3, "with:2:lost": 1, "with:2:swing": -12}');
CREATE TABLE season (
	id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	uid VARCHAR(64) NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	starts DATE NOT NULL, 
	ends DATE, 
	settings JSON NOT NULL, 
	closed_at DATETIME, 
	frozen JSON, 
	reopened JSON, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_season PRIMARY KEY (id), 
	CONSTRAINT fk_season_club_id_club FOREIGN KEY(club_id) REFERENCES club (id) ON DELETE CASCADE, 
	CONSTRAINT uq_season_club_id_name UNIQUE (club_id, name), 
	CONSTRAINT uq_season_club_id_uid UNIQUE (club_id, uid)
);
INSERT INTO "season" VALUES(1,1,'pkswnaeF6K8Jb4wgUj5O4w','League','2026-01-01','2026-06-30','{"by": "share", "least": 1, "won": 2, "shared": 1, "lost": 0, "ties": ["head-to-head", "margin", "sets"]}','2026-11-22 11:10:16.023167','{"night": "2026-01-13", "champions": [1, 3], "lines": [{"player": 1, "name": "Ann", "place": 1, "sums": {"games": 2, "won": 2, "shared": 0, "lost": 0, "points_for": 25, "points_against": 3, "hands": 7, "bids": 7, "made": 7, "sets": 0, "inflicted": 0}, "form": [["2026-01-06", 1, "W"], ["2026-01-13", 2, "W"]], "rating": [28.559545112501116, 8.03264601756872], "before": 26.964294621803063}, {"player": 3, "name": "Cy", "place": 1, "sums": {"games": 2, "won": 2, "shared": 0, "lost": 0, "points_for": 25, "points_against": 3, "hands": 7, "bids": 0, "made": 0, "sets": 0, "inflicted": 0}, "form": [["2026-01-06", 1, "W"], ["2026-01-13", 2, "W"]], "rating": [28.559545112501116, 8.03264601756872], "before": 26.964294621803063}, {"player": 2, "name": "Bo", "place": 3, "sums": {"games": 1, "won": 0, "shared": 0, "lost": 1, "points_for": 3, "points_against": 13, "hands": 5, "bids": 0, "made": 0, "sets": 0, "inflicted": 0}, "form": [["2026-01-06", 1, "L"]], "rating": [23.035705378196937, 8.177962604389991], "before": 25.0}, {"player": 4, "name": "Di", "place": 4, "sums": {"games": 2, "won": 0, "shared": 0, "lost": 2, "points_for": 3, "points_against": 25, "hands": 7, "bids": 0, "made": 0, "sets": 0, "inflicted": 0}, "form": [["2026-01-06", 1, "L"], ["2026-01-13", 2, "L"]], "rating": [21.440454887498884, 8.031242460903483], "before": 23.035705378196937}, {"player": 5, "name": "Gil", "place": 5, "sums": {"games": 1, "won": 0, "shared": 0, "lost": 1, "points_for": 0, "points_against": 12, "hands": 2, "bids": 0, "made": 0, "sets": 0, "inflicted": 0}, "form": [["2026-01-13", 2, "L"]], "rating": [23.343564656711845, 8.178004404676921], "before": 25.0}]}',NULL,'2026-11-22 11:10:14.506661');
INSERT INTO "season" VALUES(2,1,'LwUWTikDtuE3SUogswoj1w','Cup','2026-07-01',NULL,'{"by": "wins", "least": 5, "won": 2, "shared": 1, "lost": 0, "ties": ["head-to-head", "margin", "sets"]}',NULL,NULL,NULL,'2026-11-22 11:10:16.046674');
CREATE TABLE seat (
	game_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	CONSTRAINT pk_seat PRIMARY KEY (game_id, number), 
	CONSTRAINT fk_seat_game_id_game FOREIGN KEY(game_id) REFERENCES game (id) ON DELETE CASCADE, 
	CONSTRAINT fk_seat_player_id_player FOREIGN KEY(player_id) REFERENCES player (id) DEFERRABLE INITIALLY DEFERRED
);
INSERT INTO "seat" VALUES(1,1,1);
INSERT INTO "seat" VALUES(1,2,2);
INSERT INTO "seat" VALUES(1,3,3);
INSERT INTO "seat" VALUES(1,4,4);
INSERT INTO "seat" VALUES(2,1,1);
INSERT INTO "seat" VALUES(2,2,2);
INSERT INTO "seat" VALUES(2,3,3);
INSERT INTO "seat" VALUES(2,4,4);
INSERT INTO "seat" VALUES(3,1,1);
INSERT INTO "seat" VALUES(3,2,2);
INSERT INTO "seat" VALUES(3,3,3);
INSERT INTO "seat" VALUES(3,4,4);
INSERT INTO "seat" VALUES(3,5,6);
INSERT INTO "seat" VALUES(4,1,1);
INSERT INTO "seat" VALUES(4,2,2);
INSERT INTO "seat" VALUES(4,3,3);
INSERT INTO "seat" VALUES(4,4,7);
INSERT INTO "seat" VALUES(5,1,8);
INSERT INTO "seat" VALUES(5,2,2);
INSERT INTO "seat" VALUES(5,3,3);
INSERT INTO "seat" VALUES(5,4,7);
INSERT INTO "seat" VALUES(6,1,1);
INSERT INTO "seat" VALUES(6,2,2);
INSERT INTO "seat" VALUES(6,3,3);
INSERT INTO "seat" VALUES(6,4,4);
CREATE TABLE tally (
	division_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	shared INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	points_for INTEGER NOT NULL, 
	points_against INTEGER NOT NULL, 
	hands INTEGER NOT NULL, 
	bids INTEGER NOT NULL, 
	made INTEGER NOT NULL, 
	sets INTEGER NOT NULL, 
	inflicted INTEGER NOT NULL, 
	detail JSON NOT NULL, 
	form JSON NOT NULL, 
	beaten JSON NOT NULL, 
	last_played DATE, 
	CONSTRAINT pk_tally PRIMARY KEY (division_id, player_id), 
	CONSTRAINT fk_tally_division_id_division FOREIGN KEY(division_id) REFERENCES division (id) ON DELETE CASCADE, 
	CONSTRAINT fk_tally_player_id_player FOREIGN KEY(player_id) REFERENCES player (id) ON DELETE CASCADE
);
INSERT INTO "tally" VALUES(1,1,2,2,0,0,25,3,7,7,7,0,0,'{"bid:2:made": 7, "bid:2:taken": 7, "bid:2:worth": 25, "change:bidder": 25, "hands:bidder": 7, "out:2:2,2": 1, "out:2:3,1": 1, "out:2:4,0": 5, "point:game:got": 5, "point:game:seen": 7, "point:high:got": 7, "point:high:seen": 7, "point:jack:got": 6, "point:jack:seen": 7, "point:low:got": 7, "point:low:seen": 7, "took:bidder": 25, "trump:H:made": 7, "trump:H:taken": 7, "trump:H:worth": 25, "vs:2:games": 1, "vs:2:hands": 5, "vs:2:swing": 14, "vs:2:won": 1, "vs:4:games": 2, "vs:4:hands": 7, "vs:4:swing": 22, "vs:4:won": 2, "vs:5:games": 1, "vs:5:hands": 2, "vs:5:swing": 8, "vs:5:won": 1, "with:3:games": 2, "with:3:hands": 7, "with:3:swing": 22, "with:3:won": 2}','[["2026-01-06", 1, "W"], ["2026-01-13", 2, "W"]]','{"2": 1, "4": 2, "5": 1}','2026-01-13');
INSERT INTO "tally" VALUES(1,2,1,0,0,1,3,13,5,0,0,0,0,'{"change:defender": 3, "hands:defender": 5, "point:game:got": 2, "point:game:seen": 5, "point:high:seen": 5, "point:jack:got": 1, "point:jack:seen": 5, "point:low:seen": 5, "took:defender": 3, "vs:1:games": 1, "vs:1:hands": 5, "vs:1:lost": 1, "vs:1:swing": -14, "vs:3:games": 1, "vs:3:hands": 5, "vs:3:lost": 1, "vs:3:swing": -14, "with:4:games": 1, "with:4:hands": 5, "with:4:lost": 1, "with:4:swing": -14}','[["2026-01-06", 1, "L"]]','{}','2026-01-06');
INSERT INTO "tally" VALUES(1,3,2,2,0,0,25,3,7,0,0,0,0,'{"change:partner": 25, "hands:partner": 7, "point:game:got": 5, "point:game:seen": 7, "point:high:got": 7, "point:high:seen": 7, "point:jack:got": 6, "point:jack:seen": 7, "point:low:got": 7, "point:low:seen": 7, "took:partner": 25, "vs:2:games": 1, "vs:2:hands": 5, "vs:2:swing": 14, "vs:2:won": 1, "vs:4:games": 2, "vs:4:hands": 7, "vs:4:swing": 22, "vs:4:won": 2, "vs:5:games": 1, "vs:5:hands": 2, "vs:5:swing": 8, "vs:5:won": 1, "with:1:games": 2, "with:1:hands": 7, "with:1:swing": 22, "with:1:won": 2}','[["2026-01-06", 1, "W"], ["2026-01-13", 2, "W"]]','{"2": 1, "4": 2, "5": 1}','2026-01-13');
INSERT INTO "tally" VALUES(1,4,2,0,0,2,3,25,7,0,0,0,0,'{"change:defender": 3, "hands:defender": 7, "point:game:got": 2, "point:game:seen": 7, "point:high:seen": 7, "point:jack:got": 1, "point:jack:seen": 7, "point:low:seen": 7, "took:defender": 3, "vs:1:games": 2, "vs:1:hands": 7, "vs:1:lost": 2, "vs:1:swing": -22, "vs:3:games": 2, "vs:3:hands": 7, "vs:3:lost": 2, "vs:3:swing": -22, "with:2:games": 1, "with:2:hands": 5, "with:2:lost": 1, "with:2:swing": -14, "with:5:games": 1, "with:5:hands": 2, "with:5:lost": 1, "with:5:swing": -8}','[["2026-01-06", 1, "L"], ["2026-01-13", 2, "L"]]','{}','2026-01-13');
INSERT INTO "tally" VALUES(1,5,1,0,0,1,0,12,2,0,0,0,0,'{"hands:defender": 2, "point:game:seen": 2, "point:high:seen": 2, "point:jack:seen": 2, "point:low:seen": 2, "vs:1:games": 1, "vs:1:hands": 2, "vs:1:lost": 1, "vs:1:swing": -8, "vs:3:games": 1, "vs:3:hands": 2, "vs:3:lost": 1, "vs:3:swing": -8, "with:4:games": 1, "with:4:hands": 2, "with:4:lost": 1, "with:4:swing": -8}','[["2026-01-13", 2, "L"]]','{}','2026-01-13');
INSERT INTO "tally" VALUES(2,1,1,1,0,0,12,0,3,3,3,0,0,'{"bid:2:made": 3, "bid:2:taken": 3, "bid:2:worth": 12, "change:bidder": 12, "hands:bidder": 3, "out:2:4,0": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:bidder": 12, "trump:H:made": 3, "trump:H:taken": 3, "trump:H:worth": 12, "vs:2:games": 1, "vs:2:hands": 3, "vs:2:swing": 12, "vs:2:won": 1, "vs:7:games": 1, "vs:7:hands": 3, "vs:7:swing": 12, "vs:7:won": 1, "with:3:games": 1, "with:3:hands": 3, "with:3:swing": 12, "with:3:won": 1}','[["2026-08-05", 4, "W"]]','{"2": 1, "7": 1}','2026-08-05');
INSERT INTO "tally" VALUES(2,2,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:7:games": 1, "with:7:hands": 3, "with:7:lost": 1, "with:7:swing": -12}','[["2026-08-05", 4, "L"]]','{}','2026-08-05');
INSERT INTO "tally" VALUES(2,3,1,1,0,0,12,0,3,0,0,0,0,'{"change:partner": 12, "hands:partner": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:partner": 12, "vs:2:games": 1, "vs:2:hands": 3, "vs:2:swing": 12, "vs:2:won": 1, "vs:7:games": 1, "vs:7:hands": 3, "vs:7:swing": 12, "vs:7:won": 1, "with:1:games": 1, "with:1:hands": 3, "with:1:swing": 12, "with:1:won": 1}','[["2026-08-05", 4, "W"]]','{"2": 1, "7": 1}','2026-08-05');
INSERT INTO "tally" VALUES(2,7,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:2:games": 1, "with:2:hands": 3, "with:2:lost": 1, "with:2:swing": -12}','[["2026-08-05", 4, "L"]]','{}','2026-08-05');
INSERT INTO "tally" VALUES(3,1,1,1,0,0,12,0,3,3,3,0,0,'{"bid:2:made": 3, "bid:2:taken": 3, "bid:2:worth": 12, "change:bidder": 12, "hands:bidder": 3, "out:2:4,0": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:bidder": 12, "trump:H:made": 3, "trump:H:taken": 3, "trump:H:worth": 12, "vs:2:games": 1, "vs:2:hands": 3, "vs:2:swing": 12, "vs:2:won": 1, "vs:4:games": 1, "vs:4:hands": 3, "vs:4:swing": 12, "vs:4:won": 1, "with:3:games": 1, "with:3:hands": 3, "with:3:swing": 12, "with:3:won": 1}','[["2025-12-30", 6, "W"]]','{"2": 1, "4": 1}','2025-12-30');
INSERT INTO "tally" VALUES(3,2,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:4:games": 1, "with:4:hands": 3, "with:4:lost": 1, "with:4:swing": -12}','[["2025-12-30", 6, "L"]]','{}','2025-12-30');
INSERT INTO "tally" VALUES(3,3,1,1,0,0,12,0,3,0,0,0,0,'{"change:partner": 12, "hands:partner": 3, "point:game:got": 3, "point:game:seen": 3, "point:high:got": 3, "point:high:seen": 3, "point:jack:got": 3, "point:jack:seen": 3, "point:low:got": 3, "point:low:seen": 3, "took:partner": 12, "vs:2:games": 1, "vs:2:hands": 3, "vs:2:swing": 12, "vs:2:won": 1, "vs:4:games": 1, "vs:4:hands": 3, "vs:4:swing": 12, "vs:4:won": 1, "with:1:games": 1, "with:1:hands": 3, "with:1:swing": 12, "with:1:won": 1}','[["2025-12-30", 6, "W"]]','{"2": 1, "4": 1}','2025-12-30');
INSERT INTO "tally" VALUES(3,4,1,0,0,1,0,12,3,0,0,0,0,'{"hands:defender": 3, "point:game:seen": 3, "point:high:seen": 3, "point:jack:seen": 3, "point:low:seen": 3, "vs:1:games": 1, "vs:1:hands": 3, "vs:1:lost": 1, "vs:1:swing": -12, "vs:3:games": 1, "vs:3:hands": 3, "vs:3:lost": 1, "vs:3:swing": -12, "with:2:games": 1, "with:2:hands": 3, "with:2:lost": 1, "with:2:swing": -12}','[["2025-12-30", 6, "L"]]','{}','2025-12-30');
CREATE TABLE tapped (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	fields JSON NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_tapped PRIMARY KEY (id), 
	CONSTRAINT fk_tapped_game_id_game FOREIGN KEY(game_id) REFERENCES game (id) ON DELETE CASCADE, 
	CONSTRAINT uq_tapped_game_id_position UNIQUE (game_id, position)
);
INSERT INTO "tapped" VALUES(1,3,2,'{"bidder": ["3"], "bid": [""]}','2026-11-22 11:10:16.186926');
CREATE INDEX ix_seat_player_id ON seat (player_id);
CREATE INDEX ix_game_previous_id ON game (previous_id);
CREATE INDEX ix_game_season_id ON game (season_id);
CREATE INDEX ix_division_club_id_season_id ON division (club_id, season_id);
CREATE INDEX ix_result_club_id_played_number ON result (club_id, played, number);
CREATE INDEX ix_result_player_id_played_number ON result (player_id, played, number);
CREATE INDEX ix_result_division_id_played ON result (division_id, played);
CREATE INDEX ix_tally_player_id ON tally (player_id);
COMMIT;