BEGIN TRANSACTION;
CREATE TABLE partwise_runs (
	id VARCHAR(64) NOT NULL, 
	"key" VARCHAR(32) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	shared BOOLEAN NOT NULL, 
	name VARCHAR(120) NOT NULL, 
	tags TEXT NOT NULL, 
	dataset VARCHAR(80) NOT NULL, 
	method VARCHAR(80) NOT NULL, 
	request TEXT NOT NULL, 
	search TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	created_at DOUBLE NOT NULL, 
	ended_at DOUBLE, 
	deleted_at DOUBLE, 
	beat_at DOUBLE NOT NULL, 
	server VARCHAR(64) NOT NULL, 
	iterations INTEGER NOT NULL, 
	seconds DOUBLE NOT NULL, 
	objective DOUBLE, 
	accuracy DOUBLE, 
	bytes BIGINT NOT NULL, 
	details TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "partwise_runs" VALUES('first-run','748e93d4a4ed2f19','729d7d638cef1b476c9ad1d5d275dc91fc253a02',0,'Faces','','orl','n2s2l','{"corruption": null, "dataset": "orl", "dataset_options": {"crop": "plain", "size": 64, "views": "pixels"}, "method": "n2s2l", "params": {"alpha": 10.0, "beta": 1.0, "init": "random", "intrinsic_neighbors": null, "max_iter": 500, "n_components": null, "n_discriminative": null, "penalty_pairs": 20, "sample_shape": null, "smooth_neighbors": 3, "solver": "multiplicative", "tol": 1e-06}, "seed": 3, "split": {"held_out_fraction": 0.0, "held_out_per_class": 0, "labelled_per_class": 2}, "view": null}','faces orl n2s2l','done',1.79507607626753711701e+09,1.7950760762788324356e+09,NULL,1.79507607627882957461e+09,'9d5789b51dde5fb8',1,0.1,5.0,0.7,4866,'{"message": "", "scores": {"accuracy_euclidean": 0.7}, "snapshots": [[0, {}], [1, {"accuracy_euclidean": 0.7}]], "versions": {"python": "3.13"}, "ending": {}, "terms": ["reconstruction"], "tracked": [], "iteration": 1}');
INSERT INTO "partwise_runs" VALUES('cut-off','683e49653d6aaea7','729d7d638cef1b476c9ad1d5d275dc91fc253a02',0,'','','digits','nmf','{"corruption": null, "dataset": "digits", "dataset_options": {"views": "pixels"}, "method": "nmf", "params": {"init": "random", "max_iter": 500, "n_components": null, "solver": "multiplicative", "tol": 1e-06}, "seed": 0, "split": {"held_out_fraction": 0.0, "held_out_per_class": 0, "labelled_per_class": 2}, "view": null}',' digits nmf','running',1.79507607628313708308e+09,NULL,NULL,1.79507607628313732147e+09,'9d5789b51dde5fb8',0,0.0,NULL,NULL,4000,'{}');
CREATE TABLE partwise_schema (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "partwise_schema" VALUES(1);
CREATE INDEX ix_partwise_runs_key ON partwise_runs ("key");
CREATE INDEX partwise_runs_by_owner ON partwise_runs (owner, created_at);
CREATE INDEX partwise_runs_by_age ON partwise_runs (created_at);
COMMIT;
