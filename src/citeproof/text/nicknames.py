"""Given names that stand for one another: Bill and William, Kate and Katherine."""

from __future__ import annotations

_FAMILIES = """
abe abraham | al albert alan allan alfred alexander
alex alexander alexandra aleksandr alexandre alexei alejandro | andy andrew andreas andrei | art arthur
ben benjamin benedict | bern bernie bernard bernhard | beth liz betty elizabeth elisabeth
bill billy will william wilhelm willem | bob bobby rob robert robin | brad bradley
cathy kate katie kathy kathryn catherine katherine katharine | charlie charles chuck carl karl
chris christopher christian christine christina christoph | cindy cynthia | dan danny daniel | dave david
deb debbie deborah | dick rick rich richard ricardo | don donald | doug douglas
ed eddie edward edmund edwin eduardo | fred frederick friedrich frederic | gabe gabriel
geoff jeff geoffrey jeffrey | gene eugene | george georg jorge georgios | greg gregory grigory
hal harold harry henry | jack john johnny johann johannes | jacob jake jakob | jan johannes
jerry jeremy gerald jerome gerard | jim jimmy james | joe joseph josef jose | jon jonathan john | josh joshua
julie julia juliana | ken kenneth | larry lawrence laurence | len leonard leo | lou louis lewis luis
maggie margaret peggy meg | manny manuel emmanuel | marc mark marcus markus marco
matt matthew matthias mathew | max maximilian maxim | mel melvin
mick mike misha mikhail michael michal michel miguel mikael | nat nathan nathaniel | nate nathan nathaniel nathanael
nick nicholas nicolas nikolas nikolai nicola | pam pamela | pat patrick patricia | paul pavel pablo
pete peter petr pieter pierre pedro | phil philip phillip philippe | ray raymond | ron ronald | russ russell
sam samuel samantha | sandy sandra alexander | sasha alexander alexandra aleksandr aleksandra
sofia sophia sofie sophie
spyros spyridon
kasia katarzyna
dima dmitry dmitri dmitriy | kolya nikolai nikolay | vova volodymyr vladimir | zhenya evgeny evgeniy eugene
tanya tatiana tatyana | katya ekaterina katerina | pasha pavel | lena elena helen | becky rebecca rebekah
jess jessica jesse | jen jenny jennifer | vicky victoria | liz eliza elizabeth | zach zack zachary
josh joshua | mitch mitchell mitchel | drew andrew | trish patricia | abby abigail | ali alison alistair
nico nicolas nicholas niko | theo theodore theodoros theodor | kostas konstantinos constantine
yannis ioannis giannis john | dimitris dimitrios | panos panagiotis | george yorgos georgios giorgos
pepe jose | paco francisco | lucho luis | moe mohammad mohammed mohamed muhammad mohamad
sergey sergei serge sergio | steve stephen steven stefan stephan | stan stanley stanislav stanislaw
stu stuart stewart | sue susan suzanne
ted theodore edward | terry terrence theresa | tim timothy | tom thomas tomas | tony anthony antonio
val valerie valentin | vic victor viktor | vince vincent | vlad vladimir | walt walter | wes wesley
yuri yury iouri
durk diederik | anima animashree | hans johannes johann | sepp josef joseph | toni anton antonio antonius
xavi xavier | nacho ignacio | manolo manuel | quim joaquim | yossi yosef joseph josef | avi avraham abraham
shmulik shmuel samuel | danny daniel | itzik yitzhak isaac | moshe moses | mo mohammad mohammed mohamed muhammad
mahdi mehdi | rafi rafael raphael | tolya anatoly anatoliy | slava vyacheslav vladislav | grisha grigory grigori
kostya konstantin | volodya vladimir | lev leo leonid | nikos nikolaos nicholas nikolas
costas kostas konstantinos constantinos | vangelis evangelos | thanasis athanasios | babis charalampos
manolis emmanouil emmanuel | lefteris eleftherios | stelios stylianos | sotiris sotirios
vasilis vassilis vasileios | thodoris theodoros | stathis efstathios eustathios | yiannis yannis ioannis
antonis antonios | christos chris | elli ellie eleonora eleanor | guus augustus august | jaap jacob jakob
piet pieter peter | wim willem | joop johannes | kees cornelis | henk hendrik | rik hendrik richard | ab abraham
bas sebastiaan sebastian | jurek jerzy | zbyszek zbigniew | kuba jakub | tomek tomasz | ola aleksandra
gosia malgorzata | pepa josef | honza jan
"""


def _table() -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, family in enumerate(_FAMILIES.replace("\n", "|").split("|")):
        for name in family.split():
            groups.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}


_GROUPS_OF = _table()
_NONE: frozenset[int] = frozenset()


def same_given_name(name: str, other: str) -> bool:
    """Whether two given names in lower case are one: equal, or a usual short or foreign form."""
    return name == other or not _GROUPS_OF.get(name, _NONE).isdisjoint(_GROUPS_OF.get(other, _NONE))
