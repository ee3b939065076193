"""The words and forms by which a text has a person, a time, a place or a cause, in English and
Korean: what ``tools.kinds`` looks for.

Each pattern takes what is written as one of its kind and nothing that may be anything else. Runs of
letters are looked at from their beginning, and repeats are bounded, so that no text takes long.
"""

from __future__ import annotations

import re

from tools.numerals import ENGLISH, MONTH_NAMES, WEEKDAYS, within
from tools.patterns import lazy_pattern

# What nobody knows

CLAUSES = lazy_pattern(
    r"((?<=[.!?])\s+|[\n;]|,\s|\s(?:but|and|though|although)\s|(?<=[고며])\s|(?<=지만)\s|(?<=는데)\s)"
)
UNKNOWN = lazy_pattern(
    r"\b(?:unknown|unclear|undecided|undetermined|tb[ad])\b"
    r"|\bto be (?:announced|decided|confirmed|determined)\b"
    r"|(?:\b(?:not|never|no|nobody|none)\b|n't)(?: [\w']+){0,4}? (?:known|knows?|recorded|records?"
    r"|decided|stated|given|named|announced|documented|found|established|logged|told|says?|said)\b"
    r"|\bno (?:\w+ )?(?:records?|causes?|reasons?|date|name|explanation)\b"
    r"|미정|미상|불명|알 수 없|모른다|모릅니다|(?:알려|밝혀|정해)지지 ?(?:않|못)"
    r"|(?:기록|확인|공개|발표|결정|명시|정)(?:되|돼|하)?(?:어|여)? ?(?:있)?지(?:는|도)? ?(?:않|못)"
    r"|(?:기록|원인|이유|사유|날짜|장소|담당자)[이가은는도에]?[는도]? ?(?:남아 있지 않|없)",
    re.IGNORECASE,
)

# Persons

_ROLE = (
    "team|crew|staff|department|company|firm|agency|committee|council|engineer|doctor|nurse"
    "|manager|operator|administrator|admin|director|technician|vendor|supplier|contractor"
    "|employee|worker|intern|trainee|student|teacher|tenant|landlord|customer|client|user|member"
    "|guest|visitor|parent|children|people|person|president|officer|chair|secretary|assistant"
    "|editor|reviewer|owner|author|holder|driver|pilot|courier|guard|police|librarian|lawyer"
    "|accountant|auditor|buyer|seller|lead|head of|leader|everybody|everyone|anybody|anyone|nobody"
    "|somebody|someone"
)
_ROLE_KO = (
    "팀|팀장|팀원|부서|담당|담당자|책임자|관리자|관리인|운영자|작성자|신청자|참가자|이용자|사용자"
    "|소유자|대리|과장|부장|차장|실장|소장|원장|점장|국장|본부장|대표|이사|사장|회장|사원|주임|직원"
    "|회원|임원|위원|위원회|협회|조합|공단|사무국|당국|정부|본부|의사|간호사|교수|박사|교사|강사|약사"
    "|변호사|선생|기사|업체|회사|기관|크루|손님|고객|학생|주인|임대인|임차인|외부인|대리인|본인|부모"
    "|보호자|환자|경찰|은행|대통령|총리|장관|의원|장군|감독|코치|선수|배우|가수|작가|기자|반장"
    "|누리꾼|어머니|아버지|할머니|할아버지"
)
_TITLE_KO = (
    "대리|과장|부장|차장|팀장|실장|소장|대표|이사|사장|회장|원장|사원|주임|교수|박사|선생|의사|간호사"
    "|의원|장관|기자|변호사|기사|강사|매니저|씨|님"
)
_THINGS_OF_ONE = "polic|guide|manual|name|account|id|list|data|service|support|room|office|area|car"
_NOT_A_VERB = "of|for|in|on|at|to|from|with|by|and|or|per|as|than|within"
_NO_ACTOR = (
    "hand|law|default|mistake|accident|e?-?mail|post|phone|car|bus|train|noon|itself|then|now"
    "|hours?|weeks?|days?|months?|years?|end|time|way|date|deadline|door|window|road|bank|card"
    "|transfer|cash|rule|book|plan|same|first|last|next|number|letter|system|weather|rain|storm"
)
AUXILIARY = "has|have|had|will|would|can|could|may|might|must|should|shall|did|does|do"
PERSON = lazy_pattern(
    rf"(?<!of )(?<!for )(?<!per )\b(?:{_ROLE})s?(?= (?!(?:{_NOT_A_VERB}|{_THINGS_OF_ONE}))[a-z])"
    rf"|\b(?:by|from|with|to|contact|ask|call|is|are|was|were|only for|is for|are for) "
    rf"(?:[a-z]+ ){{0,3}}?(?:{_ROLE})s?\b(?! (?:{_THINGS_OF_ONE}))"
    r"|\w[-_](?:team|crew|admin)\b|\S@\w"
    rf"|\bby (?:the |our )(?!(?:{_NO_ACTOR})\b)[a-z]{{2,}}(?<!ing)\b|\bby [가-힣]"
    rf"|(?<![가-힣])(?!주차장)[가-힣]*(?:{_ROLE_KO}|[가-힣]{{2}}(?:부|과)(?=가|에서|에게|로|장))"
    r"(?:들|님)?(?=(?:[이가은는만께]|에게|께서|한테|에서|에|이나|로|으로|이다|입니다)(?:[\s,.)]|$)|[,.)]|$"
    r"|(?:의 (?:[가-힣]+ )?| )(?:승인|결재|허가|동의|책임|서명|이상|또는|및))"
    r"(?!\s?\([^()\n]{0,30}\)\s?:)"
    r"|(?<![가-힣\w])\w{2,}(?:씨|님|에게서?|께서|한테)(?![가-힣])|에 의[해하한]"
    r"|\(주\)|㈜|주식회사",
    re.IGNORECASE,
)
LABELLED = lazy_pattern(
    r"(?<![A-Za-z가-힣])(?P<label>[A-Za-z]+|[가-힣]+)(?:\s?\((?P<or>[A-Za-z]+|[가-힣]+)\))?\)?\s?:\s?"
    r"(?=[A-Z][a-z]|[가-힣]{2,4}(?![가-힣]))"
)
LABELS = frozenset("owner author assignee contact by 담당 담당자 작성자 책임자 참석 참석자".split())

CAPITALS = lazy_pattern(
    r"(?<![\w.'’-])[A-ZÀ-Þ][a-zß-ÿ]+(?:['’-][A-Z]?[a-z]+)?"
    r"(?: [A-ZÀ-Þ][a-zß-ÿ]+(?:['’-][A-Z]?[a-z]+)?){0,3}"
)
NO_NAMES = frozenset(
    (
        "the a an this our in on at for if when only no not all each every it he she we they you i"
        " my his her its their by to from with after before as and but or english korean internet"
    ).split()
    + [*MONTH_NAMES, *WEEKDAYS]
    + [f"{day}s" for day in WEEKDAYS]
)
TITLES = frozenset(
    "act article law policy plan project guide manual handbook report street road avenue city"
    " hall building server version section chapter table figure part system church station hotel"
    " school museum day".split()
)
"""Words of which a name is none of a person."""
BEFORE_A_PLACE = lazy_pattern(r"\b(?:in|at|on|near|the)\s+$", re.IGNORECASE)
BEFORE_A_NAME = lazy_pattern(
    r"\b(?:by|with|contact|ask|call|and|or|is|was|are|mr|ms|mrs|dr|prof)\.?\s+$", re.IGNORECASE
)
_SURNAMES = "김이박최정강조윤장임한오서신권황안송류유홍전고문양손배백허남심노하곽성차주우구민진지엄"
_GIVEN = (
    "가건결경관광교규근기길나남늘담덕도동라람란려련령로록루리린림만명모무미민배범별병보복봄봉빈빛산상"
    "새샘서석선설섭성세소솔송수숙순슬승시식신아안애양언여연열영예오옥온완용우욱운웅원유윤율은의이익인일임"
    "자재정제조주준중지진찬창채천철초춘충태택하학한해향혁현형혜호홍화환훈휘희"
)
"""Syllables of given names: most words that begin as a surname have another."""
_NO_NAME_KO = (
    "문화재|지하철|성수기|안정성|유연성|유용성|전화기|이용자|정수기|주소지|임산부|하한선|신호기"
)
NAME_KO = lazy_pattern(
    rf"(?<![가-힣])(?!{_NO_NAME_KO})(?P<name>[{_SURNAMES}](?:[{_GIVEN}]{{2}}"
    r"(?:(?:[이가은는도의을를와과]|에게|께서?|이며|이고|이다|입니다)(?![가-힣])|(?=[,.)|]|$))"
    rf"|[가-힣]{{1,2}}(?= ?(?:{_TITLE_KO})(?:님)?"
    r"(?:[이가은는도의만]|에게|께서|께|이다|입니다)?(?![가-힣]))))"
)
SHORT_NAME_KO = lazy_pattern(
    rf"(?<![가-힣\w])(?P<name>[{_SURNAMES}][{_GIVEN}]|[A-Z][a-z]+)[이가] "
    r"(?:[가-힣\w]+ ){0,3}(?P<verb>[가-힣]+)"
)
DOES_KO = lazy_pattern(r"(?:하(?:나|는|고|지|며|였)|한다|합니|해요?$|했)")
"""Forms of the verb that says what a noun before it does: 납품은 누가 하나요, 한다."""
BEFORE_AUXILIARY_KO = lazy_pattern(r"(?:[야고게록려]|기로) [가-힣]+$")
"""Where that verb says nothing of its own: 빨라야 한다, 쉬기로 했다."""

# Times

_MONTH = (
    rf"(?:{'|'.join(name for name in MONTH_NAMES if name != 'may')}"
    r"|may(?= \d)|(?<=\d )may|(?<=in )(?-i:May))"
)
_DAYS = "|".join(WEEKDAYS)
OF_A_KIND = r"(?:(?:working|business|calendar|consecutive) )?"
"""Which days a number of days counts: 3 working days."""
_SPAN = (
    rf"(?:\d+|an?|{'|'.join(within(1, 12, ENGLISH))}) "
    rf"{OF_A_KIND}(?:minute|hour|day|week|month|year)s?"
)
TIME = lazy_pattern(
    r"\d{4}[-./]\d|\d:\d\d"
    r"|\d ?(?:월|일(?! ?(?:간|동안|걸|소요))|년(?! ?(?:간|동안|걸))|시(?!간)|분기)"
    rf"|(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)|\b{_MONTH}\b|(?:{_DAYS})s?"
    r"|\b(?:at|from|by|until|till) \d+(?= ?(?:[ap]\.?m\b|to\b|until\b|[,;.]|$))"
    rf"|\b\d+ ?(?:a\.?m|p\.?m|o'clock)|\bwithin {_SPAN}"
    r"|\b(?:noon|midnight|today|yesterday|tomorrow|tonight|morning|afternoon|evening|night|autumn"
    r"|(?:in|last|next|this|every|each|the) (?:spring|summer|fall|winter)|weekend|weekdays?|hourly"
    r"|daily|weekly|monthly|quarterly|yearly|annually|always|immediately|at once|same day"
    r"|(?:last|next|this) (?:year|month|week|day|quarter)"
    r"|(?:every|each) (?:[\w-]+ )?(?:minute|hour|day|week|month|year|quarter)s?"
    r"|ago|while|when|whenever|after|before|until|during|as soon as"
    r"|once (?:the|it|you|they|we|all|your|this|that|he|she))\b"
    r"|어제|오늘|내일|모레|작년|올해|내년|(?:지난|이번|다음) ?(?:주|달|해|월|날|분기|학기|번)"
    r"|오전|오후|정오|자정|아침|저녁|새벽|밤(?![가-힣]{2})|매[일주월년달]|주말|평일|월말|연말|당일"
    r"|[상하]반기|\d ?세기|즉시|(?<![가-힣])(?:바로|곧)(?! (?:옆|앞|뒤|위|아래))"
    r"|(?<![가-힣])때(?!문)"
    r"|(?:이내|안)에 (?!있)|(?<=[가-힣] )(?:뒤|후)(?:에|$| )|전(?:까지|에)|이후|직후|직전|전날"
    r"|마다|에 한 번|째 ?(?:부터|에|까지|날|주|달|해)|여름|가을|겨울|(?<![가-힣])봄"
    r"|(?<![화측도장전후양단표국이])면(?![가-힣])",
    re.IGNORECASE,
)

DATE = lazy_pattern(r"\d{4}(?:[-./]\d+|년)\S*(?: \d+월)?(?: \d+일)?")
IS_OVER = lazy_pattern(
    r"\b(?:when|where) (?:was|were|did|has|have)\b|(?:언제|어디\w*) .{0,20}?[았었했됐났]",
    re.IGNORECASE,
)
HOURS = lazy_pattern(
    r"(?<![\dT:])(?:(?:from|to|at|until|till|by) )?\d{1,2}:\d\d(?!:?\d)(?:부터|까지|에서|에)?"
    r"|\d{1,2} ?시(?: ?\d{1,2}분| 반)?(?:부터|까지|에서|에)?(?!간)|\b\d{1,2} ?[ap]\.?m\b",
    re.IGNORECASE,
)

# Places

_PLACE_NOUN = (
    "address|place|region|country|city|town|village|street|road|site|building|floor|room|rack|shelf"
    "|office|branch|hall|lobby|gate|entrance|reception|warehouse|zone|campus|cent(?:er|re)|factory"
    "|plant|hospital|clinic|school|station|airport|port|home|house|folder|directory|page|menu|tab"
    "|screen|settings|archive|repository|bucket|server|host|cluster|cloud|desk|drawer|cabinet"
    "|cupboard|counter|ward|shop|store|market|basement|cellar|garage|garden|yard|park|pool|kitchen"
    "|fridge|freezer|oven|box|safe|lab|laboratory|studio|library|museum|gallery|theat(?:er|re)"
    "|church|hotel|restaurant|cafeteria|canteen|bar|bank|stadium|gym|roof|stairs|corridor|door"
    "|wall|table|stage|platform|depot|bag|lawn|abroad|outside|inside|indoors|outdoors|upstairs"
    "|downstairs"
)
_AT = "in|at|on|near|from|to|into|inside|outside|behind|under|beside|opposite|next to|above|below"
_NO_HALL = (
    "morning|afternoon|evening|night|days?|weeks?|months?|years?|spring|summer|autumn|winter|case"
    "|event|end|meantime|past|future|same|way|moment|time|first|second|third|last|latest|earliest"
    "|next|hours?|minutes?|few|total|cost|price|beginning|start|dark|rain|wood|stock|meeting|request"
    "|process|rate|age|course|order|plan|text|contract|following|weekend|middle|name|form|light"
    "|absence|presence|session|seminar|lease|policy|discount|language"
)
PLACE = lazy_pattern(
    rf"\b(?:located|situated)\b|\b(?:{_AT}) (?:(?!(?:{_AT}|for|of|all|every|any)\b)[\w'.-]+ )"
    rf"{{0,3}}?(?P<noun>(?:{_PLACE_NOUN})s?)\b"
    rf"|\b(?P<numbered>(?:{_PLACE_NOUN}) (?:[A-Z]\b|[\w-]*\d[\w-]*))"
    r"|\b(?:in|at|near|from|to) (?:the )?(?P<name>(?-i:[A-Z])[\w'.-]+(?: (?-i:[A-Z])[\w'.-]+){0,2})"
    r"|\b(?:behind|beside|opposite|next to|in front of|across from) (?:the|an?|our|your) "
    r"(?P<by>[a-z]+)"
    rf"|\b(?:in|at) (?:the|our) (?P<hall>(?!(?:{_NO_HALL})\b)[a-z]{{3,}})"
    r"|\b(?:to|with) (?:the |our )?(?:[\w-]+ ){0,2}?"
    r"(?P<office>team|department|committee|council|agency|company|supplier|vendor|police)\b"
    r"|\b(?:on|across|over) (?:both|each|one|the|his|her|their|my|your|its) "
    r"(?:(?:upper|lower|left|right) )?"
    r"(?P<body>(?:arm|leg|knee|elbow|wrist|ankle|shoulder|cheek|thigh)s?"
    r"|hands|feet|face(?! of)|neck|chest|back|skin|scalp|forehead|stomach|belly|head|body)\b"
    r"|\b(?:in|at|on) (?P<id>[a-z]{2}-[a-z]+(?:-\d+)?|[a-z]+-[a-z]*\d+)\b"
    r"|\b(?:address|location|place|room|site|venue)(?:\)| \([가-힣]+\))? ?: ?(?P<value>\S+)",
    re.IGNORECASE,
)
_CITIES_KO = (
    "서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충[북남청]|전[북남라]도?|경[북남상]도|제주|판교|수원"
    "|한국|미국|일본|중국|영국|유럽|해외|국내"
)
_SITES_KO = (
    "[가-힣]{2,}실|교실|객실|병실|욕실|거실|침실|본관|별관|신관|[가-힣]{2,}관|[가-힣]{2,}역|[가-힣]{2,}청"
    "|[가-힣]{1,2}구청|시청|구청|[가-힣]{2,}점|매점|서점|지점|[가-힣]*(?:병원|공원|학원|법원|식당|강당|센터"
    "|창고|사무실|빌딩|건물|본사|지사|공장|매장|주차장|운동장|행사장|회의장|경기장|공연장|전시장|수영장"
    "|정류장|현장|학교|대학|은행|호텔|카페|로비|복도|현관|입구|출구|정문|후문|옥상|지하|거실|부엌|베란다"
    "|마당|냉장고|서랍|선반|상자|금고|책상|캐비닛|휴게소|보건소|연구소|안내소|사무소|접수대|안내대"
    "|데스크|창구|홀|랙|병동|부스|공항|터미널|시장|마트|약국|우체국|경찰서|소방서|세무서|도시"
    "|메뉴|화면|탭|폴더|페이지|게시판|누리집|홈페이지|사이트|앱|서버|집)"
)
NO_SITES_KO = tuple(
    (
        "청구|복구|요구|연구|도구|가구|편집|수집|모집|손실|사실|현실|과실|분실|상실|확실|성실|기관"
        "|습관|보관|지역|구역|영역|내역|통역|번역|용역|무역|방역|신청|요청|시점|관점|장점|단점|문제점|차이점|초점|학점|평점|강점|약점"
    ).split("|")
)
PLACE_KO = lazy_pattern(
    rf"(?P<city>(?<![가-힣])(?:{_CITIES_KO})(?:시|특별시|광역시|특별자치[시도])?)"
    r"(?=(?:에서|에|으로|로|이다|입니다|이며|이고|까지)?(?:[\s,.)]|$))"
    rf"|(?P<site>(?<![가-힣])(?:[가-힣]{{2,3}}구|{_SITES_KO}))"
    r"(?=(?:에서|에|으로|로|이다|입니다|이며|이고|까지)(?:[\s,.)]|$)|[,.]|$)"
    r"|(?<![가-힣])(?P<office>[가-힣]*(?:팀|부서|[가-힣]{2}(?:부|과)|위원회|협회|공단|기관|업체|회사"
    r"|당국))(?:에|에서|으로|로)(?![가-힣])"
    r"|(?<![가-힣])(?P<body>(?:[양두] ?|오른|왼|온)?"
    r"(?:팔|다리|얼굴|목|가슴|손(?:등|목|바닥)?|발(?:등|목|바닥)?"
    r"|무릎|허리|어깨|이마|뺨|피부|몸|전신|허벅지|종아리|옆구리))에[만도]?(?![가-힣])"
    r"|(?P<reach>\S@\w|https?://|\d번(?:으로|에 ?(?:알|신고|연락|전화|문의|걸))"
    r")|(?P<floor>(?<!\d)\d{1,4} ?(?:층|호(?![가-힣]{2})|번 ?(?:랙|창구|출구|게이트|홀|칸)))"
    r"|(?<![가-힣A-Za-z])(?P<from>[가-힣A-Za-z]{2,})에서[는도]?(?![가-힣])"
    r"|(?<![가-힣])(?P<to>[가-힣]{2,})(?:으로|로) (?:가[는고지]|간다|갔|왔|옮|이[동주사]|돌아|향)"
    r"|(?<![가-힣A-Za-z\d])(?P<is>[가-힣A-Za-z\d]+)에 ?"
    r"(?:있|위치|놓|둔|두[고었]|설치|보관|자리|붙|세[우웠]|걸어|마련|도착)"
    r"|(?<![가-힣])(?P<beside>[가-힣]{2,}) (?:옆|앞|위|아래|근처|맞은편|건너편|[첫둘셋]째 칸)"
    r"(?:에|으로|이다)"
    r"|(?:위치|장소|주소|소재지)(?:는|(?: ?\([A-Za-z]+\)|\))? ?:)\s?(?P<value>\S+)"
    r"|(?<![가-힣])(?P<road>[가-힣]+(?:로|길) ?\d+(?:번길|번지|-\d+))"
)
NO_FROM = lazy_pattern(
    r"(?:기간|과정|범위|경우|상태|조건|단계|중|면|상황|입장|관점|차원|팀|부서|크루|위원회|회사|기관"
    r"|업체|정부|당국|협회|원|만|천|억|명|개|법|규정|점|이상|이하|것|데|여기|거기|그곳|어디)$"
)

# Causes

CAUSE = lazy_pattern(
    r"\bbecause\b|\b(?:due|owing|thanks) to\b|\bcaused (?:by|the|an?)\b|\bresults? (?:of|from)\b"
    r"|\b(?:causes?|reasons?)\)?(?:(?: [\w-]+){0,6}? (?:is|was|were)\b|:)"
    r"|\bfor (?:[\w-]+ ){1,2}reasons\b|\bfor (?:lack|want|fear) of\b"
    r"|\bfor (?:repairs?|maintenance|safety|security|cleaning|renovation|inspection|hygiene)\b"
    r"|\b(?:therefore|hence|so that|in order to|lest|led to|leads? to)\b"
    r"|(?:,| and) so (?:it|he|she|they|we|the|that)\b"
    r"|\bto (?:avoid|prevent|protect|save|keep|ensure|reduce|allow|comply|improve|make room)\b"
    r"|\b(?:since|as) (?!of\b|well\b|soon\b|long\b)(?:[a-z][\w'-]* ){1,4}?(?:is|was|are|were|has"
    r"|had|could|cannot|did|does|ran|broke|lost|fell|[a-z]{3,}ed)\b"
    r"|(?:원인|이유|사유|까닭)\)?(?:은|는|이다|이었|이며|이라|으로|이 되| ?:)"
    r"|때문|탓|므로|로 인[해하한]|니까(?!\?)|덕분|기 위[해하한]|려고|도록|따라서|그래서",
    re.IGNORECASE,
)
AFTER_ALL = lazy_pattern(
    r"\b(?:after|following|upon) (?!\d)(?!all\b|that\b|time\b)[a-z]"
    r"|(?<!안내)(?<!허가)(?<!평가)(?<!인가)(?<!교과)(?<!결과)(?<!소개)(?<!검사)(?<!조사)(?<!감사)"
    r"(?<!참가)(?<![대관통의비])(?<!혼자)"
    r"(?<=[가나다라마바사아자차카타파하거너더러머버서어저커터퍼허여려져쳐해돼와워개내배빼깨])서(?![가-힣])"
    r"|(?:정전|고장|폭설|폭우|태풍|화재|사고|장애|오류|부족|지연|파손|과부하|결함|만료|실수|누락|초과"
    r"|중단|휴가|질병|사정|문제|공사|침수|누수|손상|위반|취소|부재|병환|부상|사망|감염|파업|적자"
    r"|급증|악화|비|눈)(?:으로|로) ",
    re.IGNORECASE,
)
"""What may say why, beside what is asked: after the power was lost, 가득 차서, 정전으로."""
CONDITION = lazy_pattern(
    r"\b(?:if|when|once) [a-z]|\bwith (?:more|less|fewer|no|too)\b|(?<![화측도장전])면(?![가-힣])",
    re.IGNORECASE,
)
EXPLAINS = lazy_pattern(rf"[:–—] ?(?!\d)(?!(?:{_DAYS})\b)\w+ \w+", re.IGNORECASE)
"""What may say why, behind what is asked: failed: its fan broke."""
