/// One for each feature, which knows its own state only. What an action does not concern stays as it is; an answer
/// changes nothing unless its request is still waited for.
public enum Reducers {}
