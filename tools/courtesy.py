"""What is only polite in a question: hello, thanks, apologies, wishes, who one is, and the words in
which one asks to be told.

Put together from few components, as a courtesy is said in many ways. It counts at either end of a
question only, and only where it is a sentence or a clause of its own: the Thanks page, 감사 보고서
and a Dear John letter are what is asked about.
"""

from __future__ import annotations

import re

from tools.patterns import lazy_pattern

_TAIL = 200
"""Characters at the end of a question in which its last courtesy lies."""
_MOST = 8
"""Courtesies at one end."""
_NEAR = 60
"""Characters within which a Korean courtesy shows itself."""
_MARKS = " .,!?~"


def _any(*alternatives: str) -> str:
    return f"(?:{'|'.join(alternatives)})"


# Korean, by stem and ending

_POLITELY = (
    r"(?:정말로?|매우|대단히|너무|늘|항상|미리|다시 한번|진심으로|그럼|바쁘신 와중에|바쁘실 ?텐데)"
)
_SAID = (
    r"(?:합니다|합니당|해요|해|할게요|하겠습니다"
    r"|드립니다|드려요|드릴게요|드리겠습니다|드리고자 합니다)"
)
_THANKS_KO = (
    rf"(?:{_POLITELY} ?)*(?:감사{_SAID}|감사했습니다|감사요|고맙(?:습니다|습니당|겠습니다)"
    r"|고마워요?|고마웠(?:어요|습니다)|땡큐|ㄱㅅ)"
)
_ASKED_TO = r"(?:안내|설명|답변|답|답장|회신|확인|공유|검토|도움|조언|협조)"
_PLEASE_KO = (
    rf"(?:(?:빠른|친절한|자세한|상세한|간단한) )?(?:(?:{_ASKED_TO}(?:을|를|도)? ?)?(?:좀 |꼭 "
    r"|잘 )?"
    rf"부탁(?:{_SAID}|드려도 될까요|이요|요|(?=[!~. ]*$))|{_ASKED_TO}(?:을|를|도)? ?(?:바랍니다"
    r"|바라요))"
)
_GIVE = _any(
    r"주(?:세요|세여|시죠|십시오|십쇼|실래요?|라|렴|심 (?:감사|고맙)\S*)",
    r"주시(?:겠(?:어요?|습니까|나요|는지요?)|(?:기|길)(?:를)? ?(?:바랍니다|바라요|바래요"
    r"|부탁\S*))",
    r"주실 ?수(?:는|도)? ?있(?:나요|을까요|으신가요|으실까요|으신지요?|습니까|는지요?|으세요"
    r"|어요|을지요?|겠습니까|으시겠어요)",
    rf"주(?:시면|신다면) ?(?:{_POLITELY} ?)*(?:감사|고맙|고마|좋|됩|돼)\S*(?: ?것 ?같\S*)?",
    r"주셨으면 ?(?:합니다|해요|좋겠\S*)",
    r"줘(?:요|라|봐|봐요)?|줄래요?|줬으면 ?(?:해요?|합니다|좋겠\S*)|달라|다오",
    r"줄 ?수(?:는|도)? ?있(?:니|냐|어요?|나요?|을까요?|습니까|겠니)",
)
_TOLD = (
    r"(?:알려|말씀해|말해|설명해|안내해|가르쳐|답변해|답해|대답해|보여|찾아|확인해|공유해"
    r"|얘기해|이야기해)"
)
_CURIOUS = _any(
    r"궁금(?=[^가-힣]*$)|궁금(?:합니다|합니다만|해요?|한데요?|하네요|했습니다|했어요|해서요?)"
    r"(?: ?(?:연락|문의|질문|여쭤|글)\S*)?",
    r"(?:알고|여쭙고|여쭤보고|물어보고|묻고|문의하고|문의드리고) ?싶(?:습니다|습니다만|어요?"
    r"|은데요?|네요|어서요?)"
    r"(?: ?(?:연락|문의|질문|여쭤|글)\S*)?",
    r"(?:여쭤봐도|여쭈어봐도|물어봐도|문의해도|문의드려도|질문해도|질문드려도) ?(?:될까요?"
    r"|되나요?|괜찮을까요?|되겠습니까)",
    r"(?:여쭤보려고|여쭙고자|문의하려고|문의드리려고|물어보려고) ?(?:합니다|해요|하는데요?|요)",
    r"(?:아시는|알려 ?주실) ?분(?: ?(?:계신가요|계실까요|계세요|있나요|있으신가요|있을까요))?",
    r"(?<=지 )(?:혹시 )?(?:아시나요|아세요|아십니까|아시는지요?|알아요?|아나요)",
    r"여쭙(?:니다|습니다|겠습니다)|여쭤(?:봅니다|볼게요|보겠습니다)|물어볼게요?",
    r"알 ?수(?:가|는)? ?있(?:나요|을까요?|을지요?|습니까|는지요?|어요|니)(?=[^가-힣]*$)",
    rf"문의(?:{_SAID}|드리려고 합니다)",
    rf"질문(?:{_SAID}|이요|입니다|있습니다|있어요)",
)
_ABOUT = (
    r"(?: ?(?:에 ?(?:대해서?|대하여|대한|관해서?|관하여|관한)|관련(?:해서?|하여|된)?"
    r"|(?:[와과] )?관련해서?))"
)
_HOW_TOLD = r"(?: (?:좀|꼭|한번|한 번|간단히|간략히|자세히|상세히|빨리|친절하게))"
_REQUEST_KO = lazy_pattern(
    rf"{_ABOUT}?{_HOW_TOLD}*(?:^| |(?<=[가-힣A-Za-z0-9)\"”’]))"
    r"(?<!누가 )(?<!누가)(?<!어디서 )(?<!언제 )(?<!어떻게 )(?<!에서 )(?<!으로 )"
    rf"(?:{_TOLD} ?{_GIVE}|{_CURIOUS}|{_PLEASE_KO})(?=[^가-힣A-Za-z0-9]*$)"
)
_EMBEDDED = lazy_pattern(
    r"(?:(?<=얼마)|(?<=누구)|(?<=언제)|(?<=어디)|(?<=며칠)|(?<=까지)|(?<=부터)|(?<=몇 .)"
    r"|(?<=몇 ..))인지"
    r"[가를도]?$|[은는이가]? (?:뭔지|무엇인지|뭐인지)[가를도]?$"
)
"""What is left of a question within a request: 얼마인지 알려 주세요."""

_NAME_KO = (
    "[김이박최정강조윤장임한오서신권황안송류유홍전고문양손배백허남심노하곽성차주우구민진엄][가-힣]"
)
_TITLE = r"(?:사원|주임|대리|과장|차장|부장|팀장|선임|책임|매니저|인턴)"
_INTRODUCTION_KO = (
    rf"(?:저는 |전 )?(?:[가-힣A-Za-z]{{1,10}}(?:팀|부서|부|과|실|센터|본부|지점)(?:의"
    r"|에서 일하는)? )"
    rf"(?:{_NAME_KO}[가-힣]|(?:{_NAME_KO}[가-힣]?"
    rf"|[김이박최정강조윤장임한오서신권황안송류유]) ?{_TITLE})(?:입니다|이에요|예요"
    r"|이?라고 합니다|이?라고 해요)"
    rf"|(?:저는 |전 )?{_NAME_KO}[가-힣]?(?: ?{_TITLE}(?:입니다|이에요|예요)"
    rf"|(?: ?{_TITLE})?이?라고 (?:합니다|해요))"
)
_SENTENCES_KO = _any(
    r"안녕(?:하세요(?: (?:선생님|담당자님|여러분))?|하십니까|하신가요|하셨어요|히 ?계세요"
    r"|히 ?계십시오|히 ?가세요)?|하이|ㅎㅇ|ㅂㅇ|여보세요|저기요?",
    r"(?:담당자|관리자|선생|고객센터 담당자|여러분)님?(?=,)|반갑습니다|반가워요?"
    r"|처음 뵙겠습니다|잘 ?가요?|또 ?(?:봐요?|봬요|뵙겠습니다)|바이바이|잘 ?자요?",
    r"(?:오늘도 |늘 |항상 |그럼 )?(?:수고|고생)(?: ?많으(?:십니다|세요|셨습니다|셨어요)"
    r"|하(?:세요|십니다|십시오|셨습니다|셨어요))",
    r"(?:(?:바쁘신(?:데| ?와중에| 중에)|늦은 (?:시간|밤)에|밤늦게|갑자기|자꾸) ?)?(?:죄송"
    r"|미안)(?:합니다만?|해요|하지만|한데요?|스럽지만)",
    r"바쁘신(?:데| ?와중에| 중에)|실례(?:합니다만?|지만|하겠습니다|좀 하겠습니다)"
    r"|번거로우시겠지만|다름이 아니라|다름 아니라",
    rf"(?:답변|답|회신|연락)(?:을|를)? ?{_GIVE}",
    r"(?:[가-힣]{1,6} ){0,4}?(?:도와|해|알려|답변해|안내해|설명해) ?(?:주셔서|줘서) ?" + _THANKS_KO,
    rf"{_THANKS_KO}|{_PLEASE_KO}",
    r"(?:(?:한 가지|하나|뭐 하나|뭐|몇 가지)(?:만)? ?(?:더 )?)?(?:여쭤볼게요|여쭙겠습니다"
    r"|물어볼게요?|질문할게요|질문합니다)",
    r"(?:질문|문의|궁금한 ?(?:것|게|점)|여쭤볼 ?(?:것|게)|물어볼 ?(?:것|게))(?:이"
    r"|가)?(?: ?(?:하나|한 가지))?(?:만|가|이)? ?"
    rf"(?:있습니다|있어요|있는데요?|있어서요?|있어서 {_TOLD}\S*|{_SAID})",
    rf"(?:꼭 |좀 )?{_TOLD} ?{_GIVE}|도와 ?{_GIVE}(?=[,.!~]+ \S)",
    r"(?:오늘도 |그럼 |남은 하루도 )?(?:좋은|행복한|즐거운|편안한|멋진|기분 좋은) (?:하루|밤"
    r"|저녁|주말|아침|시간|오후|오전|명절|연휴|한 ?주|날)"
    r"(?: ?(?:되|보내)(?:세요|십시오|시길 바랍니다|시기 바랍니다|셔요|시고요))?",
    r"건강하세요|새해 복 많이 받으세요|(?:답변|회신|연락) ?기다리(?:겠습니다|고 있겠습니다)"
    r"|기다릴게요|그럼 이만|이만 줄입니다",
    r"(?:네|넵|넹|예|응)(?!, ?아니)|그래요?|알겠(?:습니다|어요)|알았어요?|그렇군요|그렇구나"
    r"|좋(?:아요|습니다)(?=[.!])|확인했습니다|이해했(?:습니다|어요)"
    r"|오케이|오키|ㅇㅋ|ㅇㅇ",
    r"혹시|그럼|그러면|그렇다면|그런데|근데|음+|아+",
    _INTRODUCTION_KO,
)
_WITHOUT_MARK_KO = _any(
    r"안녕하(?:세요|십니까)(?!.(?:프로그램|방송|노래|캠페인|앱|라는|이라는))",
    r"(?:수고|고생)(?: 많으십니다|하십니다)|실례(?:합니다만?|지만)|(?:죄송|미안)(?:합니다만"
    r"|하지만|한데요?)",
    r"바쁘신데 ?(?:죄송(?:합니다만?|하지만|한데요?))?|다름이 아니라|저기요|혹시(?:나)?|그럼"
    r"|그러면|그렇다면|그런데|근데",
)
"""What begins a question also without a mark behind it."""

# English

_HELP = _any("help", "time", "support", "answers?", "reply", "assistance", "patience", "info",
             "information", "advice", "response", "attention", "consideration")  # fmt: skip
_THANKS = (
    r"(?:(?:so )?many |a million |huge |big )?(?:thanks|thx|tks|thank (?:you|u))"
    r"(?: (?:so|very) much| a (?:lot|million|bunch|ton)| again| in advance| all| everyone| anyway"
    rf"| for (?:(?:all|any|the|your|that|this|taking) )*{_HELP}(?: and (?:your )?{_HELP})?"
    r"| (?:to|in|with) this(?: matter)?)*"
)
_PEOPLE = (
    r"(?:,? (?:there|all|everyone|everybody|team|folks|guys|again|friends?|sir|madam|support))?"
)
_SIGNED = r"(?:\s*,?\s*(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?)?"
_TEAMS = (
    r"(?:(?:the )?\w+ (?:team|department|office|desk|branch|division)|HR|IT|accounting|finance"
    r"|sales|marketing|legal|support|engineering|operations|purchasing)"
)
_SORRY = (
    r"(?:(?:i['’]m|i am|we['’]re) )?(?:so |very |really )?sorry"
    r"(?: (?:to (?:bother|disturb|trouble|interrupt)(?: you)?(?: again)?"
    r"|for (?:(?:the|my|another|bothering|asking) ?)+(?:[a-z]+ )?"
    r"(?:question|trouble|inconvenience|english|you|again|delay|basics?)))?"
)
_SENTENCES = _any(
    r"(?:hi|hello|hey|hiya|howdy|yo|greetings|welcome|good (?:morning|afternoon|evening|day"
    rf"|night)){_PEOPLE}",
    r"(?:dear|hi|hello|hey) (?:sirs?(?: (?:or|and) madam)?|madam|all|team|colleagues|everyone"
    r"|(?:[a-z]+ )?(?:team|support|desk|service)|(?:(?:mr|ms|mrs|dr)\.? )?(?-i:[A-Z])[a-z]+"
    r"(?: (?-i:[A-Z])[a-z]+)?)(?=,|! (?-i:[A-Z]))",
    rf"(?:(?:ok|okay|great|perfect|alright|all right|please and),? )?{_THANKS}",
    r"(?:(?:i|we)(?:['’]d| would)? )?(?:really |much |very much |highly |greatly "
    r"|truly )*appreciated?"
    rf"(?: (?:it|that|this|(?:(?:your|any|the|all) )*{_HELP}))?",
    rf"(?:any |your |all )+{_HELP}(?: (?:on this|here))? (?:is|would be|will be) (?:very |much "
    r"|greatly |highly )*"
    r"(?:appreciated|welcome|great|helpful)",
    r"that(?:['’]s| is| would be| was) (?:very |so |really )*(?:kind|helpful|great|nice"
    r"|all)(?: of you)?",
    rf"{_SORRY}|excuse me|pardon(?: me)?|forgive me|my apologies|apologies(?: for .{{1,30}})?",
    r"(?:(?:i(?:['’]ve| have)(?: got)?|just|here is) )?(?:a|one|another)? ?(?:more |quick "
    r"|small |short |simple |silly |last )*question"
    r"(?: for you)?",
    r"(?:may|can|could) i (?:please )?ask (?:you )?(?:something|(?:a|one|another) (?:quick "
    r"|small )?(?:question|thing))",
    r"(?:a )?quick one|(?:i(?:['’]m| am| was) )?just (?:wondering|asking|curious)"
    r"|out of curiosity",
    r"never mind|nvm|by the way|btw|ok(?:ay)?|alright|all right|great|got it|i see|understood"
    r"|sure|well|so"
    r"|um+|hmm+|oh|anyway|yes|no problem|no worries|will do",
    r"please (?:help(?: me)?|advise|let me know|answer(?: soon)?|assist(?: me)?)"
    r"|help me(?:,? please)?|please|pls|plz",
    r"(?:have|enjoy) (?:a |an |the |your )(?:very )?(?:(?:nice|good|great|lovely|wonderful"
    r"|pleasant|rest of (?:the|your)) )*"
    r"(?:day|evening|weekend|night|week|morning|afternoon|one|time)(?: ahead| too)?",
    r"(?:i |we )?hope (?:(?:that )?(?:you|everyone|everybody|all)(?: (?:are|is)"
    r"|['’]re)? (?:doing |keeping |all )?(?:well|fine|good)"
    r"|(?:this|my)(?: (?:message|e-?mail|note|letter))? finds you (?:well|in good health)"
    r"|you(?: are|['’]re) having a (?:nice|good|great) (?:day|week))",
    r"(?:i['’]m |i am )?looking forward to (?:your (?:reply|answer|response)|hearing from you)",
    r"my name is (?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?(?: (?:and i am )?from [\w ]{2,30})?",
    r"(?:this is|i am|i['’]m|it['’]s) (?-i:[A-Z])[a-z]+(?: (?-i:[A-Z])[a-z]+)?(?: here"
    rf"| speaking|,? (?:from|in|at|of) {_TEAMS})",
)
_SIGN_OFFS = _any(
    rf"(?:with )?(?:kind(?:est)?|best|warm(?:est)?|many) (?:regards|wishes){_SIGNED}",
    rf"(?:ta|{_THANKS}|best|regards|sincerely|yours(?: sincerely| truly)?|respectfully|cheers"
    rf"|all the best|love){_SIGNED}",
    r"(?:good)?bye(?:[- ]?bye)?(?: for now| now)?|see (?:you|ya)(?: (?:later|soon|tomorrow"
    r"|around))?"
    r"|take care|ciao",
)
"""What only ends a message."""
_WITHOUT_MARK = (
    r"(?:hi|hello|hey)(?: there| all| team)?(?= (?:what|who|when|where|why|how|which|can|could"
    r"|would|please|does|i|i['’]d)\b)"
    r"|(?:please|pls|plz)(?= (?:what|who|when|where|why|how|which)\b)"
)
_FRAME = lazy_pattern(
    r"^(?:please,? )?(?:"
    r"(?:(?:(?:can|could|would|will|might) (?:you|someone|anyone|somebody|anybody) )?"
    r"(?:please |kindly |possibly |maybe |just )*"
    r"(?:(?:tell|show|give|remind|inform) (?:me|us)(?: about| of)?|let (?:me|us) know(?: about)?)"
    r"|(?:(?:can|could|would|will) (?:you|someone) (?:please |kindly )?|(?<=please )|please )"
    r"(?:explain(?: to (?:me|us))?|describe))"
    r"|would you (?:be so kind as to tell|mind telling|be able to tell) (?:me|us)"
    r"|(?:i|we)(?:['’]d| would) (?:really |very much )?(?:like|love) to (?:know|ask|learn"
    r"|find out|hear)(?: about)?"
    r"|(?:i|we) (?:want|need|wanted|wish) to (?:know|ask|find out)(?: about)?"
    r"|(?:i|we)(?:['’]m| am| was|['’]re| were)(?: just)? (?:wondering"
    r"|curious)(?: about)?(?: if (?:you|someone) (?:can|could) tell (?:me|us))?"
    r"|(?:i|we)(?:['’]d| would) (?:appreciate it|be (?:very )?(?:grateful|thankful"
    r"|glad)) if you (?:(?:can|could|would) (?:please )?tell|told) (?:me|us)(?: about)?"
    r"|much obliged if you (?:can|could|would) tell (?:me|us)"
    r"|(?:may|can|could|might) i (?:please )?(?:ask|know)(?: you)?(?: about)?(?= (?:what|who"
    r"|whom|whose|when|where|why|how|which|by|at|if)\b)"
    r"|(?:do|does|would|did) (?:you|anyone|anybody|someone) (?:happen to )?know(?= (?:what|who"
    r"|whom|whose|when|where|why|how|which|by|at|if)\b)"
    r"|any idea(?= (?:what|who|whom|whose|when|where|why|how|which)\b)"
    r")[,:]?\s+(?=\S)",
    re.IGNORECASE,
)

_MARK = (
    r"(?:\s*[,.~…;:?]+|\s*!+(?=\W*$| (?-i:[^a-z])| (?:who|what|when|where|why|how|which|can"
    r"|could|is"
    r"|are|do|does|did|will|would|should|please|i|i['’]\w+|the|my|tell|show|any|so|and)\b)"
    r"|\s*\n|\s+[-–—]+(?=\s)|\s*[\^:;]+[\^)DP]+)"
)
"""What ends a courtesy. The exclamation mark of a name (Sorry Works! policy) ends none."""
_DROSS = r"[\s,.!?~…;:^)(\-–—ㅎㅋㅠㅜ🙏😊🙂]*"
_COURTESY = lazy_pattern(
    rf"\s*(?:{_SENTENCES}(?:{_MARK}{_DROSS}|\s*$)|(?:{_WITHOUT_MARK})\s+)", re.IGNORECASE
)
_COURTESY_KO = lazy_pattern(
    rf"\s*(?:{_SENTENCES_KO}(?:{_MARK}{_DROSS}|\s*$)|{_WITHOUT_MARK_KO}\s+)"
)
_SIGN_OFF = lazy_pattern(rf"\s*{_SIGN_OFFS}{_DROSS}$", re.IGNORECASE)
_FIRST_WORD = lazy_pattern(r"\W*([A-Za-z]+)")
_FIRST_WORDS = frozenset(
    "hi hello hey hiya howdy yo greetings welcome good dear ok okay great perfect alright all "
    "please so many a million huge big thanks thx tks thank i we really much very highly "
    "greatly truly appreciate appreciated any your that sorry excuse pardon forgive my "
    "apologies just here one another more quick small short simple silly last question may "
    "can could out never nvm by btw got understood sure well um umm hm hmm oh anyway yes no "
    "will help pls plz have enjoy hope looking this it with kind kindest best warm warmest "
    "regards ta sincerely yours respectfully cheers love bye goodbye see take ciao".split()
)
"""Words with which an English courtesy begins: where none does, no pattern is needed."""
_SIGNS_KO = (
    *"안녕 하이 ㅎㅇ ㅂㅇ 여보세요 저기요 님, 반갑 반가 처음 잘 또 수고 고생 죄송 미안".split(),
    *"바쁘 실례 번거 다름 주셔서 줘서 감사 고맙 고마 땡큐 ㄱㅅ 부탁 바랍 바라 여쭤".split(),
    *"여쭙 물어 질문 문의 궁금 알려 답변 회신 연락 도와 좋은 행복 즐거운 편안 멋진".split(),
    *"기분 건강 새해 기다리 그럼 이만 알겠 알았 그렇 좋아요 좋습 확인 이해 오케이 오키".split(),
    *"ㅇㅋ ㅇㅇ 혹시 그러면 그런데 근데 입니다 이에요 예요 라고 바이".split(),
)
"""The same of a Korean one, of which it has one near its beginning."""
_YES_KO = lazy_pattern(r"\W*(?:네|넵|넹|예|응|그래요?|음+|아+)(?![가-힣])")
_AND_SO = lazy_pattern(r"(?:and|but|so|then|also|anyway|now)\s+(?=\w)", re.IGNORECASE)
_ENDS = lazy_pattern(r"(?<=[.!?~…。？！])\s*(?=[^\s.!?~…。？！])|\n|\s+[-–—]+\s+")
_NOT_SAID = "".join(
    rf"(?<!\b{word})"
    for word in "for say says said saying reads of with the a an to from word like called mean and "
    "or no many by than".split()
)
_LAST = lazy_pattern(
    rf"(?:\s*[,;]\s*(?:and )?(?:{_THANKS}|please(?: and thank you)?|pls|if i may ask|(?-i:cheers))"
    rf"|{_NOT_SAID}\s+(?:thanks(?: a lot| so much| in advance)?|thank you|thx|please|pls))"
    rf"{_DROSS}$",
    re.IGNORECASE,
)
"""What ends a question without a mark before it, or behind a comma."""
_LAST_KO = lazy_pattern(
    rf"(?:\s*[,;]\s*(?:{_THANKS_KO}|{_PLEASE_KO})"
    rf"|(?<=[요다까죠줘])\s+(?:{_THANKS_KO}|(?:수고|고생)하(?:세요|십시오)|부탁{_SAID})){_DROSS}$"
)
_LAST_WORDS = ("thank", "thx", "tks", "please", "pls", "cheers", "may ask")
_LAST_SIGNS_KO = ("감사", "고맙", "고마", "땡큐", "ㄱㅅ", "부탁", "바랍", "바라", "수고", "고생")
_REQUEST_SIGNS_KO = (
    *"알려 말씀 말해 설명 안내 가르쳐 답변 답해 보여 찾아 확인 공유 얘기 이야기 궁금".split(),
    *"싶 부탁 문의 질문 여쭤 여쭈 여쭙 물어 알수 바랍 바라 분 아시 아세 아나 알아".split(),
    "알 수",
)
_ABLE = lazy_pattern(r"(?:알|줄) ?수")
_SOMEBODY = lazy_pattern(r"[가-힣](?:[은는이가]|도) ")
_ASKED = lazy_pattern(
    r"무엇|무슨|뭐|뭔|언제|어디|누가|누구|얼마|며칠|몇|어떤|어떻|어느|왜|[는은인]지"
)
"""Whether somebody can tell is no request to be told: 소년이 작품을 보여줄 수 있나요."""
_OBJECT = lazy_pattern(r"(?<=[가-힣A-Za-z0-9)]{2})[을를]$")
_SUBJECT_I = lazy_pattern(r"(?<=[가-힣A-Za-z0-9)]{2})이$")
_SUBJECT_GA = lazy_pattern(r"(?<=[가-힣A-Za-z0-9)]{2})(?<![휴추허시화여저고])가$")
_MAYBE = lazy_pattern(r"(?<![가-힣])혹시(?:나|라도)? ")


def without_courtesy(question: str) -> str:
    """A question without what is only polite, which asks for nothing: hello, thanks, sorry, who one
    is and "could you tell me". One that is nothing else is left as it is."""
    text = _lines(question)
    begun = _begun(text)
    if not begun.strip(_MARKS):
        return question
    bare = _MAYBE.sub("", _ended(begun))
    if framed := _FRAME.match(bare):
        bare = bare[framed.end() :].rstrip(" .")
    return " ".join(bare.split()) if bare != text and bare.strip(_MARKS) else question


def is_courtesy(question: str) -> bool:
    """Whether a question asks for nothing: it only says hello, thanks or goodbye."""
    return bool(question.strip(_MARKS)) and not _begun(_lines(question)).strip(_MARKS)


def _lines(text: str) -> str:
    """``text`` with one space between words and a line break where lines end."""
    return "\n".join(line for each in text.splitlines() if (line := " ".join(each.split())))


def _after(text: str, start: int) -> int:
    """Where the courtesy ends that ``text`` has at ``start``; there where it has none."""
    word = _FIRST_WORD.match(text, start)
    if word and word[1].lower() in _FIRST_WORDS:
        if match := _SIGN_OFF.match(text, start) or _COURTESY.match(text, start):
            return match.end()
    near = text[start : start + _NEAR]
    if any(each in near for each in _SIGNS_KO) or _YES_KO.match(near):
        if match := _COURTESY_KO.match(text, start):
            return match.end()
    return start


def _begun(text: str) -> str:
    """``text`` without the courtesies that it begins with."""
    for _ in range(_MOST):
        end = _after(text, 0)
        if not end:
            break
        text = text[end:]
        if connected := _AND_SO.match(text):
            text = text[connected.end() :]
    return text


def _ended(text: str) -> str:
    """``text`` without the courtesies that it ends with."""
    for _ in range(_MOST):
        shorter = _without_last(text)
        if shorter == text:
            break
        text = shorter
    return text


def _without_last(text: str) -> str:
    """``text`` without the courtesies behind one of its last marks, the request that it ends with,
    or the thanks that follow without a mark."""
    for end in _ENDS.finditer(text, max(0, len(text) - _TAIL)):
        place = end.end()
        for _ in range(_MOST):
            place = _after(text, place)
        if place == len(text) > end.end():
            return text[: end.start()].rstrip(" ,;")
    kept, tail = text[:-_TAIL], text[-_TAIL:]
    if any(each in tail for each in _REQUEST_SIGNS_KO) and (found := _REQUEST_KO.search(tail)):
        before = kept + tail[: found.start()]
        if not (_ABLE.search(found[0]) and _SOMEBODY.search(before) and not _ASKED.search(before)):
            return _asked(before)
    lowered = tail.lower()
    found = _LAST.search(tail) if any(each in lowered for each in _LAST_WORDS) else None
    if not found and any(each in tail for each in _LAST_SIGNS_KO):
        found = _LAST_KO.search(tail)
    return (kept + tail[: found.start()]).rstrip(" ,;") if found else text


def _asked(text: str) -> str:
    """What a request is about, without the particle that ties it to that."""
    text = text.rstrip(" ,")
    kept, tail = text[:-_TAIL], text[-_TAIL:]
    tail = _OBJECT.sub("", _EMBEDDED.sub("", tail).rstrip())
    before = tail[-2:-1]
    if "가" <= before <= "힣":
        has_final = (ord(before) - ord("가")) % 28 > 0
        tail = (_SUBJECT_I if has_final else _SUBJECT_GA).sub("", tail)
    return kept + tail
