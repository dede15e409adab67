/// Goes on where no drop-off was chosen.
@MainActor
public protocol CancelDropoffLocationSelectionResponder: AnyObject {
    func cancelDropoffLocationSelection() throws(IllegalTransition)
}
