import PouchEntities

/// Who is signed in.
///
/// Sends `AccountMessages` to change it and to sign out, `NavigationMessages` with `.orders`.
@MainActor
public protocol ProfileScreen: ShopScreen {
    var profile: LoadState<Profile> { get set }
}
