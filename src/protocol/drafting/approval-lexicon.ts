function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u).filter((word) => word !== ""));
}

/**
 * The only words that may stand in one clause with the phrase. A list of what is allowed, not of what is
 * forbidden: "almost", "would", "the brief says" and every foreign word refuse by not being here.
 */
export const companions = words(`
  a absolutely again ahead all and answer approval approved as amazing awesome beautiful bravo brilliant can
  celebrate clear congrats congratulations decision definitely done everyone exactly excellent fantastic final
  go good great guys happily happy here here's i immediately is job judgement judgment just let let's lets
  loud love lovely my nice now ok okay outcome outstanding overall perfect perfection please ready really
  recommendation response result review reviewer say simply so status superb team thanks thank
  therefore time to today truly us verdict very we well wonderful work wow yay yeah yep yes you
`);

/** Words that take an approval back, wherever in the reply they stand: negation, condition, open criticism. */
export const doubts = words(`
  no not never none neither nor nothing nobody cannot dont cant wont isnt doesnt didnt shouldnt wouldnt
  couldnt arent wasnt hasnt havent aint t without hardly barely scarcely unable refuse refused reject
  rejected rejecting disapprove disapproved deny denied decline declined fail fails failed failing false
  otherwise unless until till if once provided providing assuming pending conditional conditionally
  contingent whenever subject except however although though unfortunately sadly alas yet still almost
  nearly instead needs need needed needing should must ought lacks lack lacking missing weak weaker weakest
  vague generic cliche cliché clichés clichéd unclear confusing awkward clunky bland boring dull forgettable
  flat stale derivative misleading inaccurate incorrect wrong bad poor terrible awful ugly error errors
  mistake mistakes typo typos problem problems issue issues concern concerns flaw flaws faulty objection
  objections fix fixes fixing replace replacing remove removing rewrite rewriting rework reworking rephrase
  shorten shortening tighten tightening revise revising revision revisions improve improving clarify
  prefer preferred i'd wish drags odd weird strange forced wordy verbose lengthy overlong trite tired overused
  s guess suppose reluctantly grudgingly cheesy corny meh mediocre average somewhat slightly bit worse worst lame unconvincing unconvinced unfinished
  incomplete unsure uncertain doubtful overpromises reconsider avoid kidding joking joke jk sarcasm psych hypothetically supposedly pretend said wrote asked
  instructed instruction instructions prompt tomorrow postpone postponed hold stop wait
  later someday eventually soon afterwards tbd maybe perhaps premature nope nah nay
  disagree veto vetoed block blocked blocking blocker withhold withholding revert whatever ugh psyche hm hmm eh torn halfway nit nits nitpick nitpicks
  tweak tweaks suggest suggests suggesting suggestion suggestions stumble stumbles misses grates clashes rambles
  needs_human needs_work changes_requested request_changes not_approved not_ok not_ready
  nicht nichts kein keine keinen noch erst wenn falls sobald aber jedoch leider sondern beinahe
  bitte pas jamais mais lorsque quand sauf sinon hélas presque trop
  pero cuando todavía aún después sino casi demasiado troppo si
  não ainda quase ancora però niet geen bijna ikke inte ej ännu nie jeszcze prawie değil henüz
  не нет ни если но когда после пока однако ещё слишком пожалуйста ні ще
`);

/** The same in languages that put no space between words: a part of what stands between two signs. */
export const unspacedDoubts =
  /まだ|ない|ません|いいえ|惜し|ほとんど|しかし|ください|请|請|不|没|未|还|還|但|않|아직|못|아니/u;

/** Signs of refusal, and a box that nobody has ticked. */
export const refusingSigns = /[❌❎✗✘👎🚫⛔🛑🙄☐]|\[ \]/u;

/** Words that postpone or weaken only what stands in the same sentence or before them. */
export const delays = words(`
  but after before when next week month monday friday
  possibly probably only actually would could might may says asks claims tells told unsure doubt
  then minor small tiny little
`);

/** Openings of a clause that make the sentence of the phrase a bargain: "with a shorter verb, …". */
export const bargains = words(
  "with given granted minus swapping dropping cutting changing adding using",
);

/** Words before a request that leave it one: "please make", "and cut", "just drop". */
export const softeners = words("please just also and then so or simply now first next");

/** Verbs that ask for a change when a clause begins with them. */
export const requests = words(`
  make add try consider use drop cut change swap be lose work focus give put start end mention include
  tweak trim punch polish sharpen simplify reduce raise strengthen move specify show tell aim look expand
  adjust correct check delete edit enhance ensure explain find highlight introduce modify pick refine
  remember reorder restructure rethink return reword split switch test update vary
  kill say can
`);

const faults =
  "(?:issues?|problems?|notes?|complaints?|concerns?|errors?|objections?|faults?|flaws?|typos?|mistakes?)";
const changes =
  "(?:changes?|edits?|fixes|improvements?|revisions?|tweaks?|feedback|suggestions?|corrections?|notes?|comments?)";
const which =
  "(?: (?:further|more|other|additional|remaining|real|major|minor|open|single|obvious))*";
const settled = "(?:resolved|fixed|addressed|solved|gone|settled|corrected)";
const version =
  "(?:(?:the|this|your) )?(?:(?:new|revised|latest|current|final) )?(?:version|draft|slogan|text|one)";
/** Up to six words of one statement: none that could join a second one to it or leave a part of it open. */
const objectOnly =
  "(?: (?!(?:and|but|yet|only|just|some|most|half|part|partly|almost|nearly|no|not|none|nothing|neither|one|while|with|is|are|was|were|than|by)\\b)[\\p{L}'’-]+){1,6}";
const earlier = "(?:first|previous|earlier|old|last|original) (?:version|draft|attempt|one|slogan)";
const about =
  "(?: (?:with|about|from|in|on)(?: (?:this|that|the|your|it|me|us|my|side|end|slogan|one|version|draft|text|line|tagline))+)?";
const vices =
  "(?:bad|bland|boring|cheesy|childish|cliché|clichéd|clunky|corny|cute|dull|forced|generic|gimmicky|heavy-handed|preachy|pretentious|pushy|salesy|trite|vague|wordy)";

/** Ways of having no objection that would otherwise look like one. Applied to words joined by single spaces. */
export const compliments = new RegExp(
  [
    `(?:no|zero|without any|without|not see any|don't see any|don't have any|don't find any)${which} ${faults}${about}(?= [|,]|$)`,
    `no${which} ${changes}(?: (?:are|is))? (?:needed|required|necessary|requested|left)`,
    `(?:all|every|both)(?: (?:of|the|my|earlier|previous|open))* ${faults}(?: (?:is|are|was|were|have|has|been|now))* ${settled}`,
    "nothing(?: (?:left|else|more|further))* to (?:add|fix|change|improve|complain about)",
    "(?:wouldn't|would not|couldn't|could not|don't|do not) change (?:a|one)(?: single)? (?:thing|word|letter|comma)",
    "nothing(?: (?:here|left|else))? (?:i|i'd|we|we'd)(?: would)? (?:change|fix|add|improve)",
    "(?:can't|cannot|couldn't|could not) (?:be improved|be better|improve on this|improve on it|fault it|wait)",
    "(?:doesn't|does not|can't|cannot) get(?: any| much)? better(?: than this)?",
    "(?:doesn't|does not) need (?:anything|any)(?: (?:else|more|further|other|work|changes?|edits?))*(?= [|,]|$)",
    "don't think (?:it|this)(?: \\p{L}+)? needs any(?: (?:more|further|other|work|changes?|edits?))+(?= [|,]|$)",
    "(?:short|simple|brief|concise|clear|direct|playful|bold|subtle|understated|minimal|light|honest) (?:but|yet) (?:still )?(?:powerful|sweet|effective|memorable|strong|punchy|warm|clear|meaningful|impactful|catchy|evocative|bold|honest|specific|elegant|engaging)",
    "(?:would|could) (?:look (?:good|great|perfect|lovely)|resonate|stand out|stick|go straight)",
    "avoids (?:(?:the|any|all|every) )?(?:clichés?|cliches?|jargon|overpromising|hype)",
    "not (?:only|just|merely)",
    "no (?:doubt|question)(?: about it)?(?= [|,]|$)",
    `no (?:further|more|other|additional) ${changes}(?= [|,]|$)`,
    "(?:can't|cannot|couldn't|could not|don't|do not) (?:think of|find|see|have) (?:anything|a thing)(?: (?:(?:wrong|missing)(?= [|,]|$)|(?:(?:left|else|more) )?to (?:add|fix|change|improve|criticise|criticize)))",
    `(?<=[|,] |^)(?:you|you've|you have|it has|this has|${version} has)(?: now)? ${settled}${objectOnly}(?= [|,]|$)`,
    `(?<=[|,] |^)(?:it|this|${version})(?: now)? (?:resolves|fixes|addresses|solves|corrects)${objectOnly}(?= [|,]|$)`,
    `${earlier} (?:was|felt|sounded)(?: too| a bit| rather)? (?!better|good|great|fine|perfect|fresher|more)\\p{L}+(?<!er)(?= [|,]|$)`,
    `(?:not|never|isn't|without (?:being|sounding|feeling|getting|becoming))(?: too| at all)? ${vices}(?: at all)?(?= [|,]|$)`,
    "doesn't (?:overpromise|oversell|try too hard|feel forced)(?= [|,]|$)",
    "(?:exactly|precisely|just|everything) (?:what )?the brief (?:asked|asks|called|calls) for(?= [|,]|$)",
    "not a(?: single)? (?:word|thing) to change",
    "(?:thank you|thanks) for the (?:revision|rewrite|fix|fixes|changes|edits?)",
  ]
    .map((pattern) => `(?<= |^)(?:${pattern})(?= |$)`)
    .join("|"),
  "gu",
);

/** Several words that object together though each alone would not. Applied like `compliments`, and after them. */
export const objections = new RegExp(
  [
    "(?:could|might|may|would)(?: (?:also|even|probably|possibly|really))* (?:be (?:more|less|\\p{L}+er|better)|use|do with|benefit|make|add|try|drop|cut|lose|trim|change|swap)",
    "(?:one|another|a)(?: (?:more|last|final|quick))? (?:pass|round|iteration|try)",
    "(?:changes?|edits?|work) (?:requested|required|necessary)",
    "(?:as|so) long as",
    "(?:one|on|on the) conditions?|(?<=^|[|,] )conditions?",
    "zu (?:lang|kurz|vage|allgemein|viel|wenig|lahm|steif)",
    "in (?:case|the event)",
    "too [^|, ]+",
    "far from",
    "go back to",
    "(?:oh|yeah) (?:, )?(?:sure|right)",
    "recommend (?:a|an|using|adding|changing|cutting|making|more|less)",
    "next time",
    "off (?:brand|brief|topic|message)|is off(?= [|,]|$)",
    "(?:good|great|nice|strong|decent|promising|solid) start(?= [|,]|$)",
    "getting (?:there|closer|warmer)|on the fence|drawing board|keep going|let me think",
    "(?<=^|[|,] )(?:(?:so|very|pretty) )?close(?= [|,]|$)",
    "(?:i|we|it)(?: would)? (?:wants?|like|begs)(?: for)? (?:a|an|more|less)",
    `${earlier} (?:was|is|felt|sounded|read|worked)(?: \\p{L}+)? (?:better|more|\\p{L}+er)`,
    `(?:liked|preferred)(?: (?:the|your|my))? ${earlier}`,
    "[0-5] (?:, |out of )10",
    // A wish, unless it asks for the phrase itself: "ship it now, please".
    "(?<!\\+(?: \\p{L}+){0,6} (?:, )?)(?<=\\p{L} (?:, )?)please",
  ]
    .map((pattern) => `(?<= |^)(?:${pattern})(?= |$)`)
    .join("|"),
  "u",
);
