/**
 * The history of each stage, which its folder only shows. `folder` is the stage's place in the project. What an entry
 * says is one JSON document, because the rules read a history as a whole.
 */
export const m0009Stages = `
CREATE TABLE stages (
  folder TEXT NOT NULL PRIMARY KEY,
  data TEXT NOT NULL
) STRICT;
CREATE TABLE stage_entries (
  folder TEXT NOT NULL REFERENCES stages (folder),
  number INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (folder, number)
) STRICT;
`;
