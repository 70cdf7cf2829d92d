/** What CI systems and editors read. Apart from the writers, which most commands do not load. */
export const ciFormats = ["sarif", "github", "junit", "gitlab", "rdjsonl", "markdown"] as const;
export type CiFormat = (typeof ciFormats)[number];
