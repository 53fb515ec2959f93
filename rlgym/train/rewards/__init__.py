"""What happens to rewards before advantages: the overlong penalty, correction for verifier errors, and calibration of stated confidences."""
