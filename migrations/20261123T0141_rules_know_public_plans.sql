-- Compiled rules know which of their plans everybody may see, so that a plan that is published or hidden changes them.
create trigger announce_rules after update of status, visibility on plans
  for each row when ((old.status, old.visibility) is distinct from (new.status, new.visibility))
  execute function app.announce_content_rules();
