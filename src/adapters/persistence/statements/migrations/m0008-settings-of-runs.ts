/** Settings given when a run was resumed, as JSON; they count before those of its job, which never changes. */
export const m0008SettingsOfRuns = "ALTER TABLE runs ADD COLUMN settings TEXT;";
