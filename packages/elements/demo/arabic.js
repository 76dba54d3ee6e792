/** The site's own texts, by the names of elements. */
const common = {
  loading: 'جارٍ التحميل …',
  required: 'يرجى ملء هذا الحقل.',
  email: 'يرجى إدخال عنوان مثل name@example.com.',
  faults: 'يرجى مراجعة الحقول المحددة.',
  optional: 'اختياري',
  save: 'حفظ',
  cancel: 'إلغاء',
}

export const arabic = {
  'guildhall-login': {
    ...common,
    title: 'تسجيل الدخول',
    address: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    logIn: 'تسجيل الدخول',
    forgot: 'هل نسيت كلمة المرور؟',
    or: 'أو',
    sendLink: 'أرسل لي رابطًا بالبريد',
    passkey: 'استخدام مفتاح المرور',
    noAccount: 'ليس لديك حساب؟',
    signUp: 'إنشاء حساب',
    loggedIn: 'أنت مسجل الدخول',
    as: 'باسم {email}',
    logOut: 'تسجيل الخروج',
  },
  'guildhall-form': { ...common, send: 'إرسال', choose: 'يرجى الاختيار', stars: '{n} من {max}' },
}
