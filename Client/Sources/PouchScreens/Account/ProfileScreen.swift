import PouchEntities

/// Who is signed in.
///
/// Sends `AccountMessages` to change it and the password, to sign out and to delete the account, `NavigationMessages`
/// with `.orders`.
@MainActor
public protocol ProfileScreen: ShopScreen {
    var profile: LoadState<Profile> { get set }
}
