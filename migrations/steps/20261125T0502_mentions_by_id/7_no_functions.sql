-- locks: none: functions alone
drop function if exists app.mentions_by_id(text);
drop function if exists app.mentions_in_html(text);
drop function if exists app.excerpt_of(text);
