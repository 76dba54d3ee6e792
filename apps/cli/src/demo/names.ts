import type { Dice } from '#platform/values/dice.ts'

interface Names {
  readonly given: readonly string[]
  readonly family: readonly string[]
  /** Where the family name is written first, without a space between. */
  readonly isOneWord?: true
}

const list = (text: string): string[] => text.split(' ')

/** Names in six scripts. */
const SCRIPTS: readonly Names[] = [
  {
    given: list(
      'Ana Björn Chloé Dávid Élodie Fatou Grażyna Henrik Inés João Kerstin Łukasz Maya Niamh Öykü Paulo Quinn Renée Siobhán Tomáš Uma Víctor Wanjiru Zoë',
    ),
    family: list(
      'Almeida Brånemark Černý Dubois Eriksen Fernández García Hughes Ivanović Jönsson Kowalska Lefèvre Müller Nguyễn Okafor Petrescu Quiroga Rossi Sørensen Tóth Ünal Vogel Weiß Young',
    ),
  },
  {
    given: list('Анна Борис Вера Георгий Дарина Євген Жанна Зоя Илья Катерина Любомир Мария Никита Олеся'),
    family: list(
      'Антонов Бондаренко Васильева Громов Димитров Єфименко Зайцев Ильина Коваль Лебедев Морозова Новак',
    ),
  },
  {
    given: list('Αλέξανδρος Βασιλική Γιώργος Δήμητρα Ελένη Ζωή Θανάσης Ιωάννα Κώστας Μαρία Νίκος Σοφία'),
    family: list('Αναγνώστου Βλάχου Γεωργίου Δημητρίου Ιωάννου Καραγιάννη Νικολάου Οικονόμου Παππά Σταύρου'),
  },
  {
    given: list('أحمد بشرى جميلة حسن خديجة رانيا زينب سامي طارق عائشة فاطمة كريم ليلى مريم نور يوسف'),
    family: list('الأنصاري البغدادي التونسي الحداد الخطيب الزهراني السيد الشامي الفاسي القاضي المصري النجار'),
  },
  {
    given: list('伟 芳 娜 敏 静 磊 洋 艳 杰 涛 明 秀英 建华 志强 晓燕 美玲'),
    family: list('王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 林 何'),
    isOneWord: true,
  },
  {
    given: list('अदिति आरव इशान कविता गौरव जया दीपक नेहा पूजा प्रिया मोहन राधा रोहन विजय सीता सुनीता'),
    family: list('अग्रवाल कपूर खन्ना गुप्ता चौधरी जोशी तिवारी देसाई नायर पाटिल मिश्रा वर्मा शर्मा सिंह'),
  },
]

/** A person of whom only the name is known. Half of all names are Latin. */
export function nameOf(dice: Dice, number: number): { readonly full: string; readonly short: string } {
  const { given, family, isOneWord } = SCRIPTS[number % 2 === 0 ? 0 : 1 + (((number - 1) / 2) % 5)] as Names
  const [first, last] = [dice.one(given), dice.one(family)]
  return { full: isOneWord ? `${last}${first}` : `${first} ${last}`, short: first }
}
