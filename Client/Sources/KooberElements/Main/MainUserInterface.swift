/// The window that all the app's screens are shown in.
@MainActor
protocol MainUserInterface: AnyObject {
    /// Takes away what the part before has left; the screens of the new part follow.
    func clear()
}
