export type StopRule = "early_stop" | "oscillation" | "late_issues";
